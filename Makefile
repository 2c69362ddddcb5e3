# The front door: each target does everything that it needs on a fresh Debian 12 machine.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
JOBS := $(shell nproc)
CXX_FILES = $(shell find app bench examples include src tests -name '*.cpp' -o -name '*.hpp')

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test check figures verify install bench-simulate bench-simgrid bench-rivals bench-scale bench-cluster bench-mpi bench-overlap bench-choice bench-guidelines bench-catalogue fuzz tidy format packages tools release

help: ## What there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: release ## Choose an algorithm and say why, prove those that training is about to use, then train on real data with 4 ranks
	@build/release/tutti plan all-reduce --ranks 4 --bytes 1MiB --run
	@echo
	@echo "Proving what training is about to use"
	@build/release/examples/example_train --ranks 4 --proofs | while read -r proof; do \
	  printf '  %-70s ' "$$proof"; build/release/tutti verify $$proof | tail -n 1; \
	done
	@echo
	@build/release/examples/example_train --ranks 4

test: packages ## All tests; also under the address, undefined-behaviour and thread sanitizers (minutes)
	@scripts/test

check: tools ## The layout of the code, and the quick tests alone
	@clang-format --dry-run --Werror $(CXX_FILES)
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev --target tests_quick -j $(JOBS) -- --quiet
	@ctest --test-dir build/dev -L quick -j $(JOBS) --no-tests=error --output-on-failure --progress

figures: release ## Draw the figures of the documentation again
	@mkdir -p docs/figures
	build/release/tutti textbook --figures docs/figures
	@mkdir -p docs/plots
	build/release/tutti price all-reduce --ranks 64 --bytes 8..64MiB --plot docs/plots/all-reduce.svg
	build/release/tutti list --optimality --plot docs/plots/optimality.svg >/dev/null

verify: release ## Prove every algorithm for 1 to 64 ranks and every root
	build/release/tutti verify

install: release ## Install the library, its headers and the command below PREFIX
	@cmake --install build/release --prefix $(PREFIX)

bench-simulate: packages ## How fast the simulator is, and how it grows to over a million ranks
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target bench_simulate -j $(JOBS) -- --quiet
	@build/release/bench/bench_simulate

bench-simgrid: packages ## The simulator beside SimGrid, on the same schedules in one run
	@scripts/packages bench
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target bench_simgrid -j $(JOBS) -- --quiet
	@for ranks in 256 1024 4096; do build/release/bench/bench_simgrid all-reduce recursive-doubling $$ranks 2>/dev/null; done
	@for ranks in 64 256 1024; do build/release/bench/bench_simgrid all-gather ring $$ranks 2>/dev/null; done

bench-rivals: packages ## tutti beside Open MPI, MPICH and Gloo, in one run (up to 25 minutes; QUICK=1: up to 5)
	@scripts/packages bench
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target rivals -j $(JOBS) -- --quiet
	@mkdir -p build/bench
	@build/release/bench/rivals/bench_rivals $(if $(QUICK),--quick) build/bench/rivals.json

bench-scale: packages ## 2 to 1,024 ranks on this machine beside Open MPI and MPICH (up to 20 minutes; QUICK=1: up to 64 ranks)
	@scripts/packages bench
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target scale -j $(JOBS) -- --quiet
	@scripts/bench-scale build/release $(if $(QUICK),2 4 8 16 32 64)

bench-cluster: packages ## Flat and hierarchical algorithms on four hosts of namespaces, beside their predictions (root; up to 15 minutes; QUICK=1: 5)
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target tutti_command tutti_mpi_openmpi -j $(JOBS) -- --quiet
	@QUICK=$(QUICK) scripts/bench-cluster build/release || { status=$$?; [ $$status -eq 77 ]; }

bench-mpi: release ## An unchanged MPI program with and without tutti's library, under both MPIs (5 minutes)
	@scripts/bench-mpi build/release

bench-choice: packages ## How good choices and predictions are on a tuned machine: every algorithm measured beside what is chosen (up to 15 minutes; QUICK=1: 1)
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target bench_choice -j $(JOBS) -- --quiet
	@mkdir -p build/bench
	@rm -f build/bench/choice.json
	@for transport in threads processes; do \
	  build/release/tutti tune --transport $$transport --ranks 4 --budget $(if $(QUICK),5s,60s) -o build/bench/choice.json; echo; \
	done
	@TUTTI_PROFILE=build/bench/choice.json build/release/bench/bench_choice $(if $(QUICK),--quick) build/bench/choice.svg

bench-guidelines: packages ## Which performance guidelines tutti, Open MPI and MPICH break (5 minutes; QUICK=1: 1)
	@scripts/packages bench
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target rivals -j $(JOBS) -- --quiet
	@build/release/bench/rivals/bench_guidelines $(if $(QUICK),--quick)

bench-catalogue: release ## What the algorithms beyond the textbook's gain in simulation, where ranks are no power of two (15 minutes)
	@scripts/bench-catalogue

bench-overlap: packages ## How much of an all-reduce hides behind computing
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target bench_overlap -j $(JOBS) -- --quiet
	@build/release/bench/bench_overlap

fuzz: tools ## Feed generated input to the parsers and the verifier, FUZZ_SECONDS each
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz --target fuzz_targets -j $(JOBS) -- --quiet
	@for target in build/fuzz/tests/fuzz/fuzz_*; do \
	  echo "$$target for $(FUZZ_SECONDS) s"; $$target -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/ -print_final_stats=1 -verbosity=0 || exit 1; \
	done

tidy: tools ## Static analysis with clang-tidy
	@cmake --preset tidy >/dev/null
	@cmake --build --preset tidy -j $(JOBS) -- --quiet

format: tools ## Lay the code out as .clang-format says
	@clang-format -i $(CXX_FILES)

release: packages
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target programs -j $(JOBS) -- --quiet

packages:
	@scripts/packages build

tools: packages
	@scripts/packages tools
