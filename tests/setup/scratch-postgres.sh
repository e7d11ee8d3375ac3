#!/usr/bin/env bash
# scratch-postgres.sh COMMAND [ARGUMENT…]: runs a command beside a PostgreSQL of its own, with the
# address of an empty database in DATABASE_URL, and ends as the command ends.
#
# In shell, because it must work before anything is built: the queries' files, without which nothing
# builds, are made with it. The tests use target/debug/with-postgres.
set -euo pipefail

(($#)) || { echo "usage: scratch-postgres.sh COMMAND [ARGUMENT…]" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$("$here/find-postgres.sh") || {
    echo "No PostgreSQL 15 or newer was found: apt-get install postgresql, or set PG_BIN." >&2
    exit 1
}

# A short path, for the socket's sake, that every user can pass, in which only one can do anything.
folder=$(mktemp -d /tmp/holdfast-scratch.XXXXXX)
as_owner=()
if [[ $(id -u) == 0 ]]; then
    chown postgres: "$folder"
    as_owner=(setpriv --reuid=postgres --regid="$(id -g postgres)" --init-groups)
fi
as_owner() { (cd / && LC_ALL=C "${as_owner[@]}" "$@"); }

finish() {
    if [[ -e $folder/cluster/postmaster.pid ]]; then
        as_owner "$bin/pg_ctl" stop -s -w -m immediate -D "$folder/cluster" || true
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

as_owner "$bin/initdb" -D "$folder/cluster" --username=holdfast --auth-local=trust \
    --auth-host=reject --encoding=UTF8 --locale=C --no-sync --no-instructions >"$folder/initdb.log" 2>&1 ||
    { cat "$folder/initdb.log" >&2; exit 1; }
as_owner "$bin/pg_ctl" start -s -w -D "$folder/cluster" -l "$folder/cluster/log" -o \
    "-c listen_addresses= -k $folder/cluster -c unix_socket_permissions=0700 -c fsync=off" ||
    { cat "$folder/cluster/log" >&2; exit 1; }

export DATABASE_URL="postgres:///scratch?host=$folder/cluster&user=holdfast&sslmode=disable"
PGOPTIONS='' psql -q -h "$folder/cluster" -U holdfast -d postgres -c 'CREATE DATABASE scratch'
"$@"
