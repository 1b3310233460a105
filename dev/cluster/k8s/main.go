// Command k8s is a whole Kubernetes in one binary: its servers and kubectl. Which one runs is
// chosen by the name it is called by, or else by its first argument. One binary instead of six
// shares the linked code, so it builds once and is a quarter of the size.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // client metrics
	_ "k8s.io/component-base/metrics/prometheus/version"  // version metric
	kubectlcli "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
	"sekisho.local/dev/cluster/k8s/lookup"
	"sekisho.local/dev/cluster/k8s/volumes"
	metricsserver "sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

var programs = map[string]func() int{
	"kube-apiserver":          server(apiserver.NewAPIServerCommand),
	"kube-controller-manager": server(controllermanager.NewControllerManagerCommand),
	"kube-scheduler":          server(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
	"kube-proxy":              server(proxy.NewProxyCommand),
	// The kubelet installs its own signal handler: a second signal context would panic.
	"kubelet": server(func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) }),
	"metrics-server": server(func() *cobra.Command {
		return metricsserver.NewMetricsServerCommand(genericapiserver.SetupSignalHandler())
	}),
	"kubectl": kubectl,
	// Two small programs of this cluster, see their packages.
	"lookup":             lookup.Main,
	"volume-provisioner": volumes.Main,
}

func server(command func() *cobra.Command) func() int {
	return func() int { return cli.Run(command()) }
}

func kubectl() int {
	if err := cli.RunNoErrOutput(kubectlcli.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err) // prints as kubectl does, and exits
	}
	return 0
}

func main() {
	name := filepath.Base(os.Args[0])
	if _, ok := programs[name]; !ok && len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	run, ok := programs[name]
	if !ok {
		names := make([]string, 0, len(programs))
		for n := range programs {
			names = append(names, n)
		}
		sort.Strings(names)
		fmt.Fprintf(os.Stderr, "usage: k8s PROGRAM [argument...]\nprograms: %s\n", strings.Join(names, ", "))
		os.Exit(2)
	}
	os.Exit(run())
}
