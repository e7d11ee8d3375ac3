#!/usr/bin/env bash
# Prints the folder of PostgreSQL's programs (initdb, pg_ctl, postgres), version 15 or newer; fails
# if there is none. Looks where the server looks: PG_BIN alone if set, else PATH, else Debian's
# folders, newest first.
set -euo pipefail

fits() { # FOLDER
    local program major
    for program in initdb pg_ctl postgres; do
        [[ -x $1/$program ]] || return 1
    done
    major=$("$1/postgres" --version | sed -n 's/^[^ ]* ([^)]*) \([0-9]*\).*/\1/p')
    ((${major:-0} >= 15))
}

if [[ -n ${PG_BIN:-} ]]; then
    fits "$PG_BIN" && echo "$PG_BIN"
    exit
fi
if initdb=$(command -v initdb) && folder=$(dirname "$(readlink -f "$initdb")") && fits "$folder"; then
    echo "$folder"
    exit
fi
while read -r folder; do
    if fits "$folder"; then
        echo "$folder"
        exit
    fi
done < <(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV)
exit 1
