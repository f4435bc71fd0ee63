# Everything below needs a Rust toolchain, a C compiler and make; cargo fetches the rest.

SCALE   ?= quick
RESULTS ?= results
CARGO   ?= cargo
BIN      = target/release/loadfactor

.PHONY: experiment figures test check bench nightly docs build

build:                      ## the binary target/release/loadfactor
	$(CARGO) build --release --locked

experiment: build           ## every experiment: tables, figures, reports
	$(BIN) run --scale $(SCALE) --out $(RESULTS)

figures: build              ## tables and figures again from the journals
	$(BIN) report --scale $(SCALE) --out $(RESULTS)

test:                       ## all tests
	$(CARGO) test --release --locked --workspace

check:                      ## format, lints and documentation, warnings as errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --workspace --no-deps

bench:                      ## criterion benches: schemes, hash functions, captures
	$(CARGO) bench --locked --workspace --benches

nightly: build              ## new results against results/reference; fails where a number moved
	$(BIN) run --scale $(SCALE) --out $(RESULTS) --fresh
	$(BIN) compare results/reference $(RESULTS)

docs: build                 ## the generated reference
	$(BIN) schemes > docs/SCHEMES.md
