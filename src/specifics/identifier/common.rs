//! Words with a capital inside that are none of code.

use crate::specifics::unit;
use crate::specifics::words::Words;

/// Everyday ones, and the kinds of things that a cluster has: which one is meant stands beside it.
static COMMON: Words = Words::new(
    "ClusterIP ClusterIssuer ClusterRole ClusterRoleBinding ConfigMap CronJob CustomResourceDefinition DaemonSet HelmRelease \
     IoT LaTeX LimitRange LoadBalancer NetworkPolicy NodePort PersistentVolume PersistentVolumeClaim PhD PhDs ReplicaSet \
     ResourceQuota RoleBinding ServiceAccount ServiceMonitor StatefulSet StorageClass WiFi",
);

/// Whether a word is one of them, or a unit.
pub(super) fn is_common(word: &str) -> bool {
    COMMON.holds(word)
        || word.bytes().all(|b| b.is_ascii_alphabetic())
            && word.len() < 5
            && unit::canonical(word).is_some()
}
