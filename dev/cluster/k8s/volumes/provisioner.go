// Package volumes serves PersistentVolumeClaims of a single node with folders of its disk.
//
// The volumes are of type "local" and not "hostPath", because the kubelet applies a pod's fsGroup
// to the former only: pods that run without root can then write to their claims as they can with
// the storage drivers of real clusters.
package volumes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
)

const (
	provisionerName = "sekisho.local/volumes"

	// Set by the scheduler and the volume controller on claims, and expected on volumes.
	selectedNodeAnnotation  = "volume.kubernetes.io/selected-node"
	provisionerAnnotation   = "volume.kubernetes.io/storage-provisioner"
	provisionedByAnnotation = "pv.kubernetes.io/provisioned-by"
)

type provisioner struct {
	client kubernetes.Interface
	events record.EventRecorder
	root   string
}

// wants tells whether a claim waits for a volume of this provisioner and its node is chosen.
func wants(claim *corev1.PersistentVolumeClaim) bool {
	return claim.DeletionTimestamp == nil &&
		claim.Spec.VolumeName == "" &&
		claim.Annotations[provisionerAnnotation] == provisionerName &&
		claim.Annotations[selectedNodeAnnotation] != ""
}

// finished tells whether a volume of this provisioner has lost its claim and is to be deleted.
func finished(volume *corev1.PersistentVolume) bool {
	return volume.DeletionTimestamp == nil &&
		volume.Status.Phase == corev1.VolumeReleased &&
		volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete &&
		volume.Annotations[provisionedByAnnotation] == provisionerName
}

// provision makes an empty folder and a volume for it. The volume controller then binds the two.
func (p *provisioner) provision(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if err := check(claim); err != nil {
		p.events.Event(claim, corev1.EventTypeWarning, "ProvisioningFailed", err.Error())
		return nil // a claim's specification cannot change: trying again is in vain
	}
	class, err := p.client.StorageV1().StorageClasses().Get(ctx, *claim.Spec.StorageClassName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	name := "pvc-" + string(claim.UID)
	folder := filepath.Join(p.root, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	volume := describe(name, folder, claim, class)
	_, err = p.client.CoreV1().PersistentVolumes().Create(ctx, volume, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return nil
}

func check(claim *corev1.PersistentVolumeClaim) error {
	if claim.Spec.Selector != nil {
		return errors.New("claims with a selector are not served")
	}
	if claim.Spec.DataSource != nil || claim.Spec.DataSourceRef != nil {
		return errors.New("claims with a data source are not served")
	}
	if mode := claim.Spec.VolumeMode; mode != nil && *mode != corev1.PersistentVolumeFilesystem {
		return fmt.Errorf("volume mode %s is not served", *mode)
	}
	for _, mode := range claim.Spec.AccessModes {
		if mode != corev1.ReadWriteOnce && mode != corev1.ReadWriteOncePod {
			return fmt.Errorf("access mode %s is not served", mode)
		}
	}
	return nil
}

func describe(
	name, folder string, claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass,
) *corev1.PersistentVolume {
	return &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Annotations: map[string]string{provisionedByAnnotation: provisionerName},
		},
		Spec: corev1.PersistentVolumeSpec{
			StorageClassName:              class.Name,
			PersistentVolumeReclaimPolicy: *class.ReclaimPolicy,
			AccessModes:                   claim.Spec.AccessModes,
			Capacity: corev1.ResourceList{
				corev1.ResourceStorage: claim.Spec.Resources.Requests[corev1.ResourceStorage],
			},
			ClaimRef: &corev1.ObjectReference{
				APIVersion: "v1",
				Kind:       "PersistentVolumeClaim",
				Namespace:  claim.Namespace,
				Name:       claim.Name,
				UID:        claim.UID,
			},
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				Local: &corev1.LocalVolumeSource{Path: folder},
			},
			NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchExpressions: []corev1.NodeSelectorRequirement{{
						Key:      corev1.LabelHostname,
						Operator: corev1.NodeSelectorOpIn,
						Values:   []string{claim.Annotations[selectedNodeAnnotation]},
					}},
				}},
			}},
		},
	}
}

// remove deletes a volume's folder with all that is in it, and then the volume.
func (p *provisioner) remove(ctx context.Context, volume *corev1.PersistentVolume) error {
	if volume.Spec.Local == nil {
		return fmt.Errorf("volume %s is not a local one", volume.Name)
	}
	folder := filepath.Clean(volume.Spec.Local.Path)
	if !strings.HasPrefix(folder, p.root+string(filepath.Separator)) {
		return fmt.Errorf("volume %s lies outside of %s", volume.Name, p.root)
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	err := p.client.CoreV1().PersistentVolumes().Delete(ctx, volume.Name, metav1.DeleteOptions{
		Preconditions: metav1.NewUIDPreconditions(string(volume.UID)),
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
