// Package lookup asks a given DNS server for the addresses of a name.
package lookup

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"
)

const timeout = time.Second

// Main takes a server's address and a name, prints the name's IPv4 addresses, and returns the exit status.
func Main() int {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: lookup SERVER_ADDRESS NAME")
		return 2
	}
	server := net.JoinHostPort(os.Args[1], "53")
	resolver := &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server)
		},
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	addresses, err := resolver.LookupIP(ctx, "ip4", os.Args[2]+".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "lookup:", err)
		return 1
	}
	for _, address := range addresses {
		fmt.Println(address)
	}
	return 0
}
