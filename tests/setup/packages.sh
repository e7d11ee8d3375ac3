#!/usr/bin/env bash
# packages.sh PACKAGE…: installs distribution packages, as root.
#
# Debian's postgresql makes a cluster and starts it when it is installed. Nobody asked for that, so it
# is told not to, for this installation only. A cluster that exists is not touched.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive
if [[ " $* " == *" postgresql "* ]]; then
    setting=/etc/postgresql-common/createcluster.d/holdfast-is-installing.conf
    mkdir -p "$(dirname "$setting")"
    trap 'rm -f "$setting"' EXIT
    echo 'create_main_cluster = false' >"$setting"
fi
apt-get update -q
apt-get install -q -y --no-install-recommends "$@"
