module sekisho.local/dev/cluster/pause

go 1.24.0
