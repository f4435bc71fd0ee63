# Everything below needs a Rust toolchain, a C compiler and make; cargo fetches the rest.

SCALE   ?= quick
RESULTS ?= results
CARGO   ?= cargo
BIN      = target/release/loadfactor

# Tests and binary share one build of every dependency only while they ask for the same features.
FEATURES = $(CARGO) tree --locked --prefix none -f "{p} [{f}]"
TIDY     = sed 's/ (\*)//' | LC_ALL=C sort -u

.PHONY: experiment figures test test-slurm check deny bench speed nightly nightly-keep docs build golden golden-plain golden-record golden-tables

build:                      ## the binary target/release/loadfactor
	$(CARGO) build --release --locked

experiment: build           ## every experiment: tables, figures, reports
	$(BIN) run --scale $(SCALE) --out $(RESULTS)

figures: build              ## tables and figures again from the journals
	$(BIN) report --scale $(SCALE) --out $(RESULTS)

test:                       ## all tests
	$(CARGO) test --release --locked --workspace

test-slurm: build           ## shards, failures and merges under a real Slurm of one node; installs nothing, says what is missing
	tests/slurm/run $(BIN)

check:                      ## format, lints and documentation, warnings as errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --workspace --no-deps
	@$(FEATURES) -p loadfactor -e normal,build | $(TIDY) > target/features-binary
	@$(FEATURES) --workspace -e normal,build,dev | $(TIDY) > target/features-tests
	@! LC_ALL=C comm -23 target/features-binary target/features-tests | grep . || \
		{ echo "tests and binary build these with different features: pin them in Cargo.toml"; false; }

deny:                       ## licences, sources and advisories of the dependencies, against deny.toml
	@if ! $(CARGO) deny --version > /dev/null 2>&1; then \
		echo "cargo-deny is not installed (cargo install cargo-deny --locked): dependencies were not checked"; \
	elif ! $(CARGO) deny --locked check bans licenses sources; then false; \
	elif ! $(CARGO) deny --locked fetch db > /dev/null 2>&1; then \
		echo "the database of advisories cannot be reached: advisories were not checked"; \
	else $(CARGO) deny --locked check --disable-fetch advisories; fi

bench:                      ## criterion benches: schemes, hash functions, captures
	$(CARGO) bench --locked --workspace --benches

speed:                      ## the tables of speed in docs/METHODOLOGY.md, measured anew on this machine
	LOADFACTOR_WRITE_SPEED=1 $(CARGO) bench --locked -p loadfactor --bench rounds --bench trial

# The program beside which every night is measured, and its times: were they those of the night before, a slower night
# would be forgotten, and a little more each night never seen.
TIMINGS  = results/nightly/filters/timed/timings.csv
KEPT     = results/nightly/timings-kept.csv
PROGRAM  = results/nightly/loadfactor-kept
RATIOS   = results/nightly/ratios-kept.txt

nightly: build              ## new results against results/reference, new times beside the program kept on this machine and beside loops by hand; fails where a number moved or an operation became slower
	$(BIN) run --scale quick --out results/nightly --fresh
	$(BIN) compare results/reference results/nightly
	[ -f $(PROGRAM) ] || cp $(BIN) $(PROGRAM)
	$(BIN) bench filters/timed --out results/nightly --beside $(PROGRAM)
	if [ -f $(KEPT) ]; then $(BIN) compare $(KEPT) $(TIMINGS); else cp $(TIMINGS) $(KEPT); fi
	LOADFACTOR_RATIOS="$(CURDIR)/$(RATIOS)" $(CARGO) bench --locked -p loadfactor --bench trial -- straightforward

nightly-keep:               ## the program and the times of the last night as those to be held against, where they were meant to change
	cp $(BIN) $(PROGRAM)
	cp $(TIMINGS) $(KEPT)
	rm -f $(RATIOS)

golden: golden-tables       ## every table runs at smoke and predictions at quick, to the byte, against tests/golden.txt
	cd target/golden && sha256sum --check --quiet ../../tests/golden.txt

golden-plain:               ## the same as on a processor without FMA, where the C library can be told so
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA $(MAKE) golden

golden-record: golden-tables ## tests/golden.txt anew, where numbers were meant to change
	cp target/golden/tables.txt tests/golden.txt

golden-tables: build
	rm -rf target/golden
	$(BIN) run --scale smoke --quiet --out target/golden/run
	$(BIN) predict --scale quick --out target/golden/predict
	cd target/golden && find run predict -name table.csv | LC_ALL=C sort | xargs sha256sum > tables.txt

docs: build                 ## the generated reference, and the numbers and answers that pages quote
	$(BIN) schemes > docs/SCHEMES.md
	$(BIN) schema > docs/definition.schema.json
	LOADFACTOR_WRITE_DOCS=1 $(CARGO) test --release --locked -p loadfactor --test cli -- --test-threads 1 growth:: numbers:: transcripts:: tutorial::
	LOADFACTOR_WRITE_DOCS=1 $(CARGO) test --release --locked -p loadfactor-traces --test suite links::
