#!/usr/bin/env bash
# Deletes the data folder (HOLDFAST_DATA_DIR, else ./data): database, keys and all. Refuses while a
# server uses it; stops the PostgreSQL that a killed server left running.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=${HOLDFAST_DATA_DIR:-data}
[[ -d $data ]] || exit 0

home=$data
if [[ -f $data/postgres-elsewhere ]]; then
    home=$(<"$data/postgres-elsewhere")
fi
for folder in "$data" "$home"; do
    if [[ -e $folder/postgres.lock ]] && ! flock --nonblock "$folder/postgres.lock" true; then
        echo "A server uses $folder (process $(<"$folder/postgres.lock")): stop it first." >&2
        exit 1
    fi
done

pid_file=$home/postgres/postmaster.pid
if [[ -f $pid_file ]]; then
    pid=$(head -n 1 "$pid_file")
    # Only if the process works in that folder is it the PostgreSQL that wrote the file.
    if [[ /proc/$pid/cwd -ef $home/postgres ]]; then
        kill -INT "$pid"
        while [[ /proc/$pid/cwd -ef $home/postgres ]]; do sleep 0.1; done
    fi
fi
[[ $home -ef $data ]] || rm -rf "$home"
rm -rf "$data"
