#!/usr/bin/env bash
# Everything that a change must pass, in the order in which it fails fastest. Stops at the first
# failure. `make test` runs it; it needs no setting and leaves nothing running.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
export PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# make's own job server is not for cargo.
unset MAKEFLAGS MFLAGS
# Nor are settings of a server that somebody runs for the ones that tests start.
for name in DATABASE_URL DATABASE_DIRECT_URL DATABASE_READ_URL "${!HOLDFAST_@}"; do
    [[ $name == HOLDFAST_TEST_* ]] || unset "$name"
done

step=
finish() {
    local status=$?
    if ((status)); then
        printf '\n-- FAILED: %s, after %s s\n' "${step:-start}" "$((SECONDS - begun))" >&2
    fi
}
trap finish EXIT

# run NAME COMMAND…: one step, with a header and its time.
run() {
    step=$1
    begun=$SECONDS
    shift
    printf '\n== %s\n' "$step"
    "$@"
    printf -- '-- %s: %s s\n' "$step" "$((SECONDS - begun))"
}
begun=$SECONDS

build() {
    cargo build --locked --workspace --bins
    cargo test --locked --workspace --no-run
}

openapi_is_current() {
    diff -u openapi/openapi.json <("$target/debug/holdfast" admin openapi) || {
        echo "openapi/openapi.json is not what the code says: run make openapi" >&2
        return 1
    }
}

browser() {
    # Without a file Node's runner passes.
    [[ -n $(find tests/browser -name '*.test.mjs' -not -path '*/node_modules/*' -print -quit) ]] || {
        echo "tests/browser has no *.test.mjs" >&2
        return 1
    }
    "$target/debug/with-postgres" -- npm --prefix tests/browser test
}

run "machine" tests/setup/machine.sh test
run "format" cargo fmt --all --check
run "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
run "build" build
run "tools" tests/setup/tools.sh

# What the tests run, beside the database that with-postgres names.
export HOLDFAST_BIN_DIR=$target/debug
export HOLDFAST_PYTHON=$target/python-venv/bin/python
if [[ -z ${HOLDFAST_TEST_CHROMIUM:-} ]]; then
    HOLDFAST_TEST_CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
    export HOLDFAST_TEST_CHROMIUM
fi

run "tests" "$target/debug/with-postgres" -- cargo test --locked --workspace
run "openapi" openapi_is_current
run "queries" tests/setup/sqlx.sh --check
run "browser" browser
printf '\nAll passed, in %s s.\n' "$SECONDS"
