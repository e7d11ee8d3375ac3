#!/usr/bin/env bash
# sqlx.sh: writes .sqlx anew, the types of every query as PostgreSQL tells them for the migrations.
# sqlx.sh --check: fails if .sqlx is not what that would write, and changes nothing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"

case ${1:-} in
    '' | --check) exec "$here/scratch-postgres.sh" "$here/sqlx.sh" --beside-postgres "${1:---write}" ;;
    --beside-postgres) mode=$2 ;;
    *) echo "usage: sqlx.sh [--check]" >&2; exit 2 ;;
esac

for migration in migrations/*.sql; do
    in_one_transaction=(--single-transaction)
    # The mark that sqlx's own migrator knows.
    [[ $(head -n 1 "$migration") == '-- no-transaction'* ]] && in_one_transaction=()
    PGOPTIONS='--client-min-messages=warning' psql -q -X -v ON_ERROR_STOP=1 \
        "${in_one_transaction[@]}" -d "$DATABASE_URL" -f "$migration" >/dev/null
done

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
# sqlx writes the files while the compiler expands the queries, so the compiler must run although
# nothing changed: a name that it has not seen before, for this one crate, makes it. What it makes
# under that name is of no further use.
said=$(SQLX_OFFLINE=false SQLX_OFFLINE_DIR=$new cargo rustc --quiet --locked --profile check \
    -p holdfast-shared --lib --message-format json-render-diagnostics \
    -- --cfg "sqlx_asks_$(date +%s)_$$")
made=$(sed -n 's/.*"filenames":\["\([^"]*\)\/libshared-\([0-9a-f]*\)\.rmeta"\].*/\1 \2/p' <<<"$said")
if [[ -n $made ]]; then
    hash=${made##* } folder=${made% *}
    rm -rf "$folder/libshared-$hash.rmeta" "$folder/shared-$hash.d" \
        "$folder/../.fingerprint/holdfast-shared-$hash"
fi
compgen -G "$new/query-*.json" >/dev/null || { echo "sqlx wrote no file." >&2; exit 1; }

if [[ $mode == --check ]]; then
    if ! diff -rq .sqlx "$new" | sed "s#$new#the queries#g"; then
        echo ".sqlx is not what the queries and the migrations say: run make sqlx" >&2
        exit 1
    fi
    exit 0
fi
# Only what differs is written, or everything would be built again.
mkdir -p .sqlx
for file in .sqlx/query-*.json; do
    [[ -e $new/${file##*/} ]] || rm -f "$file"
done
for file in "$new"/query-*.json; do
    cmp -s "$file" ".sqlx/${file##*/}" || cp "$file" .sqlx/
done
echo ".sqlx has $(find .sqlx -name 'query-*.json' | wc -l) queries."
