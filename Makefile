# The front door: each target does everything that it needs on a fresh Debian 12 machine.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
JOBS := $(shell nproc)
# On a terminal one line shows how far the build is; a log gets no line for each file.
QUIET := $(shell [ -t 2 ] || echo -- --quiet)
# The profile that the demo measures; a user's own stays as it is, and built-in costs hold where there was too little time.
DEMO_PROFILE := build/release/demo-profile.json
BY_DEMO_PROFILE = TUTTI_PROFILE=$$(ls $(DEMO_PROFILE) 2>/dev/null || echo built-in)
export NINJA_STATUS := [%p of the build, %e s] 
CXX_FILES = $(shell find app bench bindings examples include src tests web -name '*.cpp' -o -name '*.hpp')

# A user's defaults decide nothing that is drawn, proved or measured here.
export TUTTI_CONFIG := none

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-rest test-arm64 check figures reference verify install dist package test-packages api site bench-simulate bench-simgrid bench-rivals bench-scale bench-cluster bench-mpi bench-busy bench-limit bench-overlap bench-choice bench-guidelines bench-catalogue bench-python bench-torch bench-explorer python torch explorer test-explorer explorer-picture fuzz tidy format packages tools release

help: ## What there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Measure this machine for 3 s, choose an algorithm and say why, prove those that training is about to use, then train on real data with 4 ranks
	@scripts/packages demo
	@echo "tutti: building the command and the training on $(JOBS) cores (some minutes)"
	@cmake --preset release -D TUTTI_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset release --target tutti_command example_train -j $(JOBS) $(QUIET)
	@echo "tutti: measuring for 3 s what messages cost here"
	@rm -f $(DEMO_PROFILE); build/release/tutti tune --budget 3s -o $(DEMO_PROFILE) | sed -n 's/^Of /tutti: of /p' || echo "tutti: going on with built-in costs"
	@echo
	@$(BY_DEMO_PROFILE) build/release/tutti plan all-reduce --ranks 4 --bytes 1MiB --run
	@echo
	@echo "Proving what training is about to use"
	@$(BY_DEMO_PROFILE) build/release/examples/example_train --ranks 4 --proofs | while read -r proof; do \
	  printf '  %-70s ' "$$proof"; build/release/tutti verify $$proof | tail -n 1; \
	done
	@echo
	@$(BY_DEMO_PROFILE) build/release/examples/example_train --ranks 4

test: packages ## The quick tests of all rooms, both MPIs, and samples under the sanitizers (7 to 23 minutes on two cores)
	@scripts/test quick

test-all: test test-rest ## All tests: all kinds of ranks, the dearest proofs, whole programs under the sanitizers (an hour and a half)

test-arm64: ## Rooms without MPI built for arm64 by a cross compiler, their quick tests under qemu (15 minutes to an hour on two cores; no part of make test-all)
	@scripts/packages demo test arm64
	@scripts/test-arm64 || { status=$$?; [ $$status -eq 77 ]; }

check: tools ## The layout of the code, and the quick tests alone
	@clang-format --dry-run --Werror $(CXX_FILES)
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev --target tests_quick -j $(JOBS) -- --quiet
	@ctest --test-dir build/dev -L quick -j $(JOBS) --no-tests=error --output-on-failure --progress

figures: packages release ## Draw the figures and plots of the documentation again
	@mkdir -p docs/figures
	build/release/tutti textbook --figures docs/figures
	scripts/book-figures build/release/tutti
	@mkdir -p docs/plots
	build/release/tutti price all-reduce --ranks 64 --bytes 8..64MiB --plot docs/plots/all-reduce.svg
	build/release/tutti list --optimality --plot docs/plots/optimality.svg >/dev/null
	@scripts/plot-measurements

reference: packages release ## Write docs/reference again, from the command's help and docs/reference/text
	@scripts/reference build/release/tutti

verify: release ## Prove every algorithm for 1 to 64 ranks and every root
	build/release/tutti verify

install: release ## Install the library, its headers and the command below PREFIX
	@cmake --install build/release --prefix $(PREFIX)

dist: ## A tarball of the sources in build/dist, which builds without git
	@scripts/dist

package: ## Debian packages in build/package, checked by lintian (5 to 20 minutes on two cores)
	@scripts/packages demo test test-all package
	@scripts/package

test-packages: ## Those packages in a bare Debian: installed, used, removed (2 to 5 minutes; no part of make test-all)
	@scripts/packages package
	@scripts/test-packages || { status=$$?; [ $$status -eq 77 ]; }

api: ## The reference of the public headers in build/api; what lacks a comment, errors or cost is an error
	@scripts/packages package
	@scripts/api

site: ## All documents as a static site in build/site, with search; checks its links
	@scripts/packages package
	@scripts/site
	@scripts/check-site

python: ## tutti for Python, as a package in build/release/python: PYTHONPATH=build/release/python python3 -c 'import tutti'
	@scripts/packages demo test-all
	@cmake --preset release -D TUTTI_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset release --target python tutti_command -j $(JOBS) $(QUIET)
	@echo "tutti in Python is in build/release/python; its guide is docs/guide/python.md"

bench-python: python ## tutti in Python beside mpi4py over both MPIs, in one run (up to 10 minutes; QUICK=1: 2)
	@/usr/bin/python3 bench/python/compare.py build/release $(if $(QUICK),--quick)

torch: python ## tutti as a backend of torch.distributed, in that package: import tutti.torch
	@scripts/packages torch
	@cmake --preset release -D TUTTI_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset release --target torch -j $(JOBS) $(QUIET)
	@echo "tutti.torch is in build/release/python; its guide is docs/guide/torch.md"

bench-torch: torch ## torch.distributed on tutti beside Gloo, in turn in one run: calls, the examples' steps, how soon errors are told (up to 30 minutes; QUICK=1: 5)
	@/usr/bin/python3 bench/torch/compare.py build/release $(if $(QUICK),--quick)
	@/usr/bin/python3 bench/torch/limits.py build/release $(if $(QUICK),--quick)

explorer: ## The explorer, a page with the core in it for any browser: build/explorer/explorer.html (WebAssembly; 2 to 10 minutes on two cores, no part of make test-all)
	@scripts/packages demo explorer
	@cmake --preset explorer >/dev/null
	@cmake --build --preset explorer --target explorer -j $(JOBS) $(QUIET)
	@echo "the explorer is build/explorer/explorer.html; its guide is docs/guide/explorer.md"

test-explorer: explorer release ## The explorer in a browser, and its answers beside the command's, byte for byte (5 minutes after make explorer)
	@scripts/packages demo test test-all
	@cmake --preset release -D TUTTI_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset release --target tutti_command web_packages -j $(JOBS) $(QUIET)
	@ctest --test-dir build/release -R '^Explorer' --no-tests=error --output-on-failure

bench-explorer: explorer release ## How large the explorer is, and how long it takes to a first picture and for 200 random changes over 64 and 1,024 ranks
	@scripts/packages demo test test-all
	@cmake --preset release -D TUTTI_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset release --target tutti_command web_packages -j $(JOBS) $(QUIET)
	@TUTTI=build/release/tutti TUTTI_WEB=build/release/tests/web TUTTI_EXPLORER=build/explorer node bench/explorer/explorer.mjs $(if $(QUICK),20)

explorer-picture: explorer ## Take the README's picture of the explorer again
	@scripts/packages demo test test-all
	@cmake --preset release -D TUTTI_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset release --target web_packages -j $(JOBS) $(QUIET)
	@node scripts/explorer-picture.mjs

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

bench-mpi: packages release ## An unchanged MPI program with and without tutti's library, under both MPIs (5 minutes)
	@scripts/bench-mpi build/release

bench-busy: packages ## Short calls beside 1, 4 and 16 busy processes: both MPIs with and without tutti, and tutti run (up to 40 minutes; QUICK=1: 5)
	@scripts/packages bench
	@cmake --preset release -D TUTTI_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target programs busy -j $(JOBS) -- --quiet
	@scripts/bench-busy build/release $(if $(QUICK),--ranks 2 --rounds 5 --seconds 0.5)

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

bench-limit: packages release ## How near each collective comes to this machine's limit, by size, as CSV (6 minutes)
	@scripts/bench-limit build/release

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

# The command, the library and the examples, with plugins for the MPIs that are installed.
release:
	@scripts/packages demo
	@cmake --preset release -D TUTTI_BUILD_TESTS=OFF >/dev/null
	@cmake --build --preset release --target programs -j $(JOBS) $(QUIET)

# Checks that `make test-all` has beyond `make test`, whose builds it goes on with.
test-rest:
	@scripts/packages demo test test-all torch
	@scripts/test rest

packages:
	@scripts/packages demo test

tools:
	@scripts/packages demo test tools
