package volumes

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

// Objects are looked at again after this time, in case a change was missed.
const resync = 5 * time.Minute

// Main runs the provisioner until it gets a signal, and returns the exit status.
func Main() int {
	kubeconfig := flag.String("kubeconfig", "", "file with the API server's address and credentials")
	root := flag.String("root", "", "folder that holds the volumes")
	flag.Parse()
	if err := run(*kubeconfig, *root); err != nil {
		fmt.Fprintln(os.Stderr, "volume-provisioner:", err)
		return 1
	}
	return 0
}

func run(kubeconfig, root string) error {
	if kubeconfig == "" || !filepath.IsAbs(root) {
		return errors.New("--kubeconfig FILE and --root ABSOLUTE_FOLDER are needed")
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	p := &provisioner{
		client: client,
		events: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: provisionerName}),
		root:   filepath.Clean(root),
	}
	return p.watch(ctx)
}

// watch queues claims and volumes as they change and works them off one by one. A queue entry is
// a claim or a volume as it was seen; both operations can be repeated without harm.
func (p *provisioner) watch(ctx context.Context) error {
	queue := workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[any](200*time.Millisecond, 30*time.Second))
	enqueue := func(object any) {
		switch object := object.(type) {
		case *corev1.PersistentVolumeClaim:
			if wants(object) {
				queue.Add(object)
			}
		case *corev1.PersistentVolume:
			if finished(object) {
				queue.Add(object)
			}
		}
	}
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, object any) { enqueue(object) },
	}
	factory := informers.NewSharedInformerFactory(p.client, resync)
	for _, informer := range []cache.SharedIndexInformer{
		factory.Core().V1().PersistentVolumeClaims().Informer(),
		factory.Core().V1().PersistentVolumes().Informer(),
	} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}
	factory.Start(ctx.Done())
	defer factory.Shutdown()

	context.AfterFunc(ctx, queue.ShutDown)
	for {
		object, quit := queue.Get()
		if quit {
			return nil
		}
		if err := p.handle(ctx, object); err != nil && ctx.Err() == nil {
			klog.ErrorS(err, "Trying again later")
			queue.AddRateLimited(object)
		} else {
			queue.Forget(object)
		}
		queue.Done(object)
	}
}

func (p *provisioner) handle(ctx context.Context, object any) error {
	switch object := object.(type) {
	case *corev1.PersistentVolumeClaim:
		klog.InfoS("Provisioning", "claim", klog.KObj(object))
		return p.provision(ctx, object)
	case *corev1.PersistentVolume:
		klog.InfoS("Removing", "volume", object.Name, "claim", klog.KRef(object.Spec.ClaimRef.Namespace, object.Spec.ClaimRef.Name))
		return p.remove(ctx, object)
	default:
		return fmt.Errorf("unexpected %T in the queue", object)
	}
}
