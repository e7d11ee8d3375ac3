#!/usr/bin/env bash
# Installs the tests' own tools, pinned, inside the working copy: Python packages into
# target/python-venv, npm packages into tests/browser/node_modules. Does nothing when they are there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

wanted=tests/python/requirements.txt
venv=${CARGO_TARGET_DIR:-$root/target}/python-venv
# The copy is written last, so it says that the installation came to its end.
if ! cmp -s "$wanted" "$venv/requirements.txt" || ! "$venv/bin/python" -c '' 2>/dev/null; then
    python3 -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --require-hashes --only-binary :all: -r "$wanted"
    cp "$wanted" "$venv/requirements.txt"
fi

lock=tests/browser/package-lock.json
modules=tests/browser/node_modules
if ! cmp -s "$lock" "$modules/.installed-lock.json"; then
    # The browser is the distribution's.
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm --prefix tests/browser ci \
        --ignore-scripts --no-audit --no-fund --loglevel error
    cp "$lock" "$modules/.installed-lock.json"
fi
