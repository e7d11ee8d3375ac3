# Needs Rust (make says how to get it) and, beyond that, only what it installs itself: packages of the
# distribution that are missing, and tools of the tests in target/ and tests/browser/.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

# Where rustup puts cargo, for shells that do not know yet, and before a distribution's older one.
export PATH := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)

target := $(or $(CARGO_TARGET_DIR),target)
with_postgres := "$(target)/debug/with-postgres"

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

.PHONY: run
run: ## build and start Holdfast; a PostgreSQL of its own comes with it
	@tests/setup/machine.sh run
	@cargo build --locked -p holdfast-server --bin holdfast
	@exec "$(target)/debug/holdfast"

.PHONY: test
test: ## everything that a change must pass
	@tests/run.sh

.PHONY: test-pure
test-pure: ## the rules alone; needs no database
	@tests/setup/machine.sh build
	@cargo test --locked -p holdfast-shared --lib

.PHONY: test-races
test-races: with-postgres ## the races alone
	@$(with_postgres) -- cargo test --locked -p holdfast-tests --test it races

.PHONY: soak
soak: with-postgres ## the same tests, longer
	@HOLDFAST_SOAK=1 PROPTEST_CASES=20000 $(with_postgres) -- \
		cargo test --locked --workspace -- --include-ignored

.PHONY: bench
bench: with-postgres ## measures a release build and prints a table
	@cargo build --locked --release -p holdfast-tests --bin bench
	@$(with_postgres) --fsync -- "$(target)/release/bench"

.PHONY: fuzz
fuzz: ## a million random inputs for each reader of what strangers write
	@tests/setup/machine.sh build
	@cargo build --locked --profile fuzz -p holdfast-tests --bin fuzz
	@"$(target)/fuzz/fuzz" --inputs "$${INPUTS:-1000000}" --seed "$${SEED:-5545}"

.PHONY: with-postgres
with-postgres:
	@tests/setup/machine.sh test
	@cargo build --locked --workspace --bins

.PHONY: fmt
fmt: ## formats the code
	@cargo fmt --all

.PHONY: openapi
openapi: ## writes openapi/openapi.json anew from the code
	@cargo build --locked -p holdfast-server --bin holdfast
	@"$(target)/debug/holdfast" admin openapi >openapi/openapi.json.new
	@mv openapi/openapi.json.new openapi/openapi.json

.PHONY: sqlx
sqlx: ## writes .sqlx anew from the queries and the migrations
	@tests/setup/machine.sh build
	@tests/setup/sqlx.sh

.PHONY: sqlx-check
sqlx-check: ## fails if .sqlx is not what make sqlx would write
	@tests/setup/machine.sh build
	@tests/setup/sqlx.sh --check

.PHONY: clean-data
clean-data: ## deletes the data folder with its database and keys
	@tests/setup/clean-data.sh
