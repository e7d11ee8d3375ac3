#!/usr/bin/env bash
# machine.sh build|run|test: sees that this machine has what it needs to build, for `make run` or for
# `make test`, and installs the distribution packages that are missing - only those, and only if any
# is.
#
# Rust is the one thing that it asks for: the distributions' is too old.
set -euo pipefail

purpose=${1:?usage: machine.sh build|run|test}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"

stop() { # LINE…
    printf '%s\n' "$@" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

need_rust() {
    local needed found get_curl=
    needed=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
    # rust-toolchain.toml names the toolchain; rustup fetches it here if it may.
    if found=$(cargo --version 2>/dev/null | cut -d' ' -f2) && [[ -n $found ]]; then
        if [[ $(printf '%s\n' "$needed" "$found" | sort -V | head -n 1) == "$needed" ]]; then
            return
        fi
    elif has rustup; then
        stop "Rust $needed is missing. Install it with this command, then run make again:" \
            "    rustup toolchain install --profile minimal -c rustfmt -c clippy $(
                sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml
            )"
    fi
    if ! has curl; then
        get_curl="apt-get install -y curl ca-certificates && "
        [[ $(id -u) == 0 ]] || get_curl="sudo $get_curl"
    fi
    stop "Holdfast needs Rust $needed or newer, and found ${found:-none}." \
        "Install it with this command, then run make again:" \
        "    ${get_curl}curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
}

c_compiler_works() {
    local folder works=0
    has cc || return 1
    folder=$(mktemp -d)
    echo '#include <stdlib.h>
int main(void) { return EXIT_SUCCESS; }' >"$folder/program.c"
    cc -o "$folder/program" "$folder/program.c" >/dev/null 2>&1 || works=1
    rm -r "$folder"
    return "$works"
}

chromium_is_here() {
    [[ -n ${HOLDFAST_TEST_CHROMIUM:-} ]] || has chromium || has chromium-browser || has google-chrome
}

libical_is_here() {
    python3 -B -c 'import sys; sys.path.insert(0, "tests/python"); import check_libical; check_libical.library()' \
        >/dev/null 2>&1
}

need_rust
packages=()
c_compiler_works || packages+=(gcc libc6-dev)
# With a database of one's own, `make run` needs no PostgreSQL; the tests never use that one.
if [[ $purpose == test || ($purpose == run && -z ${DATABASE_URL:-}) ]] && ! "$here/find-postgres.sh" >/dev/null; then
    if [[ -n ${PG_BIN:-} ]]; then
        stop "PG_BIN is $PG_BIN, where there is no PostgreSQL 15 or newer (initdb, pg_ctl, postgres)."
    fi
    packages+=(postgresql)
fi
if [[ $purpose == test ]]; then
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 ||
        stop "The tests need rustfmt and clippy. Install them with:" \
            "    rustup component add rustfmt clippy"
    has psql || packages+=(postgresql-client)
    has node || packages+=(nodejs)
    has npm || packages+=(npm)
    python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || packages+=(python3 python3-venv)
    chromium_is_here || packages+=(chromium)
    # A shared library that the invitation tests read our files with; newer Debians install
    # libical3t64 under this name.
    libical_is_here || packages+=(libical3)
fi
((${#packages[@]})) || exit 0

echo "Missing on this machine: ${packages[*]}"
install=(bash "$here/packages.sh" "${packages[@]}")
if ! has apt-get; then
    stop "This is not Debian or Ubuntu: install their equivalents with your package manager."
elif [[ $(id -u) == 0 ]]; then
    "${install[@]}"
elif has sudo && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    sudo "${install[@]}"
else
    stop "Installing them needs root. Run this as root, then run make again:" \
        "    $(printf '%q ' "${install[@]}")"
fi

if [[ " ${packages[*]} " == *" postgresql "* ]] && ! "$here/find-postgres.sh" >/dev/null; then
    stop "This distribution's PostgreSQL is older than 15. Install a newer one and name the folder" \
        "of its programs in PG_BIN, or set DATABASE_URL."
fi
