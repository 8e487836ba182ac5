# All tasks of this project; `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=
# Recipes take it from the environment, in quotes: make's own functions divide a path at its spaces.
COMPASS_CORPUS ?= ../shared/corpus
export COMPASS_CORPUS
BUILD := .build/release
PROGRAMS := compass
# Linked with SQLite and a server, which take minutes to build; `make run` does not need them.
SERVICES := thumbd documentd
# The program that `compass` runs for the queue's commands.
COMMANDS := compass-queue
# The program that speaks to servers elsewhere, for sources that lie there.
FETCHER := compass-fetch
RENDERERS := compass-sniff compass-render-plain compass-render-image compass-render-pdf compass-render-video compass-read-text compass-recognize
# All tests as one program.
TEST_BUNDLE := compass-mediaPackageTests
# The stubs that renderers load in place of unused libraries.
STAND_INS := '$(BUILD)/compass-stand-ins'
SWIFT_BUILD := swift build -c release
# Built programs as words of a recipe.
built = $(foreach program,$(1),'$(BUILD)/$(program)')
# The corpus' folders of files, as far as there are any, in the shell's array `folders`.
CORPUS_FOLDERS = folders=(); for name in real gen; do [ ! -d "$$COMPASS_CORPUS/$$name" ] || folders+=("$$COMPASS_CORPUS/$$name"); done
# Hides two warnings that do not concern this project: the linker's about a function that Foundation never calls, and
# pkg-config's about threads.
QUIET := 2> >(grep -v -e 'mktemp' -e 'createTemporaryFile' -e 'linker garbage collection' -e 'prohibited flag' >&2)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# Installs what is missing of the Debian packages that a file lists; on a terminal it asks first. A name that ends in `?` is
# a package that only one of the supported Debians has.
define install_packages
missing=$$(sed 's/#.*//' $(1) | xargs -n1 | while read -r name; do \
case "$$name" in *'?') name=$${name%'?'}; apt-cache show "$$name" > /dev/null 2>&1 || continue;; esac; dpkg-query -W -f '$${Status}' "$$name" 2>/dev/null | grep -q 'ok installed' || echo "$$name"; done); \
if [ -n "$$missing" ]; then \
if [ -t 0 ] && [ -t 1 ]; then \
echo "These Debian packages are missing:" $$missing; \
read -r -p 'Install them now, as root? It takes one to five minutes. [y/N] ' answer || answer=; \
case "$$answer" in [yY]*) ;; *) echo "Install them, then try again: sudo apt-get install --no-install-recommends" $$missing >&2; exit 1;; esac; \
fi; \
echo "Installing:" $$missing; \
as=; [ "$$(id -u)" = 0 ] || as=sudo; \
{ $$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; } \
|| { echo "These Debian packages could not be installed:" $$missing >&2; exit 1; }; \
fi
endef

# Makes the virtual environment in the folder $(2) with the packages of the file $(1) from PyPI, where it has others or is not there.
define make_venv
mkdir -p build; cmp -s $(1) $(2)/requirements.txt || { \
/usr/bin/python3 -m venv --clear $(2) \
&& $(2)/bin/pip install --quiet --disable-pip-version-check -r $(1) \
&& cp $(1) $(2)/requirements.txt; }
endef

.PHONY: setup
setup: ## Install what is missing of the Debian packages in packages.txt, and look for Swift
	@command -v swift >/dev/null || { echo "Swift 6.3 is missing: install it from swift.org (for Debian 12, which runs on Debian 13 too; x86_64) and put it on PATH." >&2; exit 1; }
	@swift --version 2>/dev/null | grep -q -E 'Swift version 6\.([3-9]|[1-9][0-9])' || { echo "Swift 6.3 or later is needed; this is: $$(swift --version 2>/dev/null | head -1)" >&2; exit 1; }
	@[ "$$(uname -m)" = x86_64 ] || echo "WARNING: the sandbox's lists of system calls are written for x86_64; on $$(uname -m) the renderers run WITHOUT A SYSTEM CALL FILTER, and --require-sandbox refuses them." >&2
	@$(call install_packages,packages.txt)

.PHONY: build
build: setup ## Build the programs with optimisation
	@for product in $(PROGRAMS) $(RENDERERS) $(FETCHER) compass-stand-ins; do $(SWIFT_BUILD) --product $$product $(QUIET); done
	@$(STAND_INS) '$(BUILD)/stand-ins' > /dev/null

# Apart from what make run needs: the server packages take minutes.
.PHONY: build-services
build-services: setup ## Build thumbd and documentd, and what `compass` needs to reach its queue
	@for product in $(SERVICES) $(COMMANDS); do $(SWIFT_BUILD) --product $$product $(QUIET); done

# Figures of two processors.
.PHONY: say-run
say-run:
	@[ -x '$(BUILD)/compass' ] || echo 'The first build takes about four minutes on two processors.'

.PHONY: run
run: say-run build ## Set up, build, thumbnail samples/, print a table and write build/contact-sheet.png
	@mkdir -p build
	@'$(BUILD)/compass' sheet samples -o build/contact-sheet.png

# The documents that `make serve` begins with, as TYPE=FILE.
COLLECTION := highlight_video=samples/h264.mp4 highlight_video=samples/rotate-90.mp4 transcript=samples/pages-24.pdf \
	transcript=samples/transcript.txt resume=samples/resume.docx rec_letter=samples/rotate-90.pdf \
	questionnaire=samples/letter.doc stats_sheet=samples/stats.csv stats_sheet=samples/stats.xlsx
LISTEN ?= 127.0.0.1:8080

.PHONY: serve
serve: say-serve build ## Build documentd, and serve a first collection of documents at LISTEN, which is 127.0.0.1:8080
	@$(SWIFT_BUILD) --product documentd $(QUIET)
	@'$(BUILD)/documentd' import --data data --if-empty $(COLLECTION)
	@'$(BUILD)/documentd' postings import --data data --as-of-today samples/jobs/postings/board.jsonl samples/jobs/postings/staffing.csv \
		samples/jobs/postings/employers.jsonld samples/jobs/postings/careers.html
	@echo 'Documents are served at http://$(LISTEN), jobs for a résumé at http://$(LISTEN)/jobs, until Ctrl-C.'
	@'$(BUILD)/documentd' --data data --listen '$(LISTEN)' --auth off

# Figures of two processors.
.PHONY: say-serve
say-serve:
	@[ -x '$(BUILD)/documentd' ] || echo 'The first build takes about seven minutes on two processors.'

# To a terminal alone.
.PHONY: say-test
say-test:
	@[ ! -t 1 ] || [ -e '$(BUILD)/$(TEST_BUNDLE).xctest' ] || echo 'The first build takes twelve to thirty minutes on two processors.'
	@[ ! -t 1 ] || echo 'The tests take six to fifteen minutes on two processors.'

# Builds the tests in silence, and shows what was said if it fails.
define build_tests
mkdir -p build/tests; $(SWIFT_BUILD) $(1) > build/tests/build.log 2>&1 || { cat build/tests/build.log >&2; exit 1; }; \
$(STAND_INS) '$(BUILD)/stand-ins' > /dev/null
endef
# How many targets' tests run at once: more are no faster on two processors.
TEST_JOBS ?= 2
# Runs the tests of a build. Each process has a bound of its own; this one is for all of them.
run_tests = timeout --foreground --kill-after=30 90m Tests/Checks/TestTargets/run.py --jobs $(TEST_JOBS) --tests '$(1)/$(TEST_BUNDLE).xctest'

# A store that speaks S3, and boto3, for tests.
STORE_TOOLS := build/store-tools

.PHONY: store-tools
store-tools:
	@$(call make_venv,Tests/Support/StoreSupport/requirements.txt,$(STORE_TOOLS))

.PHONY: test
test: say-test setup store-tools ## Set up, build everything, run all tests: a line for each test target, and failures in full
	@$(call build_tests,--build-tests)
	@$(call run_tests,$(BUILD)) $(TESTS)

RENDERER_TESTS := EncodingTests ImageRendererTests PageRecognizerTests PageRendererTests PlainRendererTests RenderHostTests RenderingTests \
	ResamplingTests SnifferTests StandInsTests TextReaderTests VideoRendererTests

.PHONY: test-renderers
test-renderers: build ## Build and run the tests of the renderers and of what runs them
	@for product in $(STARTED_BY_TESTS); do $(SWIFT_BUILD) --product $$product $(QUIET); done
	@export COMPASS_TESTS='$(RENDERER_TESTS)'; $(call build_tests,--product $(TEST_BUNDLE)); $(call run_tests,$(BUILD)) $(TESTS)

.PHONY: test-conformance
test-conformance: setup store-tools ## Run the suites that either database, or either store of files, has to pass, and fail where the numbers of cases differ
	@$(SWIFT_BUILD) --build-tests $(QUIET)
	@$(STAND_INS) '$(BUILD)/stand-ins' > /dev/null
	@/usr/bin/python3 -B Tests/Checks/Conformance/run.py --tests '$(BUILD)/$(TEST_BUNDLE).xctest' $(CONFORMANCE)

.PHONY: test-corpus
test-corpus: build ## Thumbnail every file of COMPASS_CORPUS, compare with its manifest, and name system calls outside the lists
	@$(SWIFT_BUILD) --product corpus-check $(QUIET)
	@'$(BUILD)/corpus-check' '$(BUILD)/compass' "$$COMPASS_CORPUS" Tests/Checks/CorpusCheck/differences.tsv
	@for product in call-check $(RENDERERS:compass-%=probing-%); do $(SWIFT_BUILD) --product $$product $(QUIET); done
	@$(CORPUS_FOLDERS); '$(BUILD)/call-check' '$(BUILD)' "$${folders[@]}"

API_CHECK := build/api-check

.PHONY: test-api
test-api: build build-services ## Hold documentd against its OpenAPI file with schemathesis: EXAMPLES (60) cases for each operation, from SEED
	@$(call install_packages,Tests/Checks/API/packages.txt)
	@$(call make_venv,Tests/Checks/API/requirements.txt,$(API_CHECK))
	@/usr/bin/python3 Tests/Checks/API/run.py --programs '$(BUILD)' --schemathesis $(API_CHECK)/bin/schemathesis \
		--examples $(or $(EXAMPLES),60) --seed $(SEED)

.PHONY: test-hostile
test-hostile: setup store-tools ## Drive every route by hostile clients, on SQLite and a folder, then on PostgreSQL and a bucket
	@$(call build_tests,--build-tests)
	@swift test -c release --skip-build --filter '^IntegrationTests\.HostileClientTests/'
	@COMPASS_TEST_DATABASE=postgresql swift test -c release --skip-build --filter '^IntegrationTests\.HostileClientTests/'

.PHONY: test-scanner
test-scanner: build build-services ## Hold documentd against Debian's clamd, with a signature of the test's own (SCANNER='--only TEXT')
	@$(call install_packages,Tests/Checks/Scanner/packages.txt)
	@/usr/bin/python3 -B Tests/Checks/Scanner/run.py --programs '$(BUILD)' $(SCANNER)

WEB_CHECK := build/web-check

.PHONY: web-tools
web-tools: build build-services
	@$(call install_packages,Tests/Checks/Web/packages.txt)
	@$(call make_venv,Tests/Checks/Web/requirements.txt,$(WEB_CHECK))

.PHONY: test-web
test-web: web-tools ## Drive the screens in Chromium over documentd: what they do, their states, their looks (WEB='--only TEXT')
	@$(WEB_CHECK)/bin/python -B Tests/Checks/Web/run.py --programs '$(BUILD)' --pictures build/web-failures $(WEB)

CLIENTS := build/clients

.PHONY: test-clients
test-clients: build build-services ## Drive documentd by the official clients of Supabase and tus: rows, files, accounts, sign-in by a provider
	@$(call install_packages,Tests/Faces/wire/packages.txt)
	@$(call make_venv,Tests/Faces/wire/requirements.txt,$(CLIENTS))
	@$(CLIENTS)/bin/python -B Tests/Faces/wire/run.py --programs '$(BUILD)'

# The system, and a clone of this checkout in it with its own build; kept for the next run, of any checkout.
DEBIAN13 ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/compass-media/debian13
export DEBIAN13
DEBIAN13_TARGETS ?= run test test-corpus fidelity

.PHONY: debian13-system
debian13-system: ## Make a Debian 13 in the folder DEBIAN13, or bring its packages up to date (root)
	@$(call install_packages,Tests/Checks/debian13-packages.txt)
	@Tests/Checks/debian13 --update "$$DEBIAN13" "$$COMPASS_CORPUS" make setup

.PHONY: test-debian13
test-debian13: debian13-system ## Run `run`, `test`, `test-corpus` and `fidelity` on the Debian 13 in the folder DEBIAN13 (root, an hour, 8 GB)
	@Tests/Checks/debian13 "$$DEBIAN13" "$$COMPASS_CORPUS" make $(DEBIAN13_TARGETS)

COUNT ?= 40000
SEED ?= 1

CHAOS_SECONDS ?= 600
KILL_PAUSE ?= 5

.PHONY: chaos
chaos: build ## Kill, stop and mislead workers for CHAOS_SECONDS from SEED, and audit what is left; then without each safeguard
	@$(SWIFT_BUILD) --product chaos $(QUIET)
	@mkdir -p build
	@'$(BUILD)/chaos' run '$(BUILD)' samples build/chaos $(CHAOS_SECONDS) $(SEED)
	@! '$(BUILD)/chaos' run '$(BUILD)' samples build/chaos 30 $(SEED) unfenced
	@! '$(BUILD)/chaos' run '$(BUILD)' samples build/chaos 30 $(SEED) hasty

.PHONY: chaos-corpus
chaos-corpus: build build-services ## Two thumbds over COMPASS_CORPUS, one killed every KILL_PAUSE seconds, against two left in peace
	@$(SWIFT_BUILD) --product chaos $(QUIET)
	@mkdir -p build
	@'$(BUILD)/chaos' corpus '$(BUILD)/thumbd' "$$(realpath "$$COMPASS_CORPUS")" build/chaos-corpus $(KILL_PAUSE)

.PHONY: crash-service
crash-service: build build-services ## Kill documentd in the middle of uploads and deletions, 50 times, and audit what is left; then with files lost on purpose
	@python3 Tests/Checks/ServiceCrashes/crashes.py --programs '$(BUILD)' $(if $(SEED),--seed $(SEED))
	@python3 Tests/Checks/ServiceCrashes/crashes.py --programs '$(BUILD)' --rounds 3 --control $(if $(SEED),--seed $(SEED))

MODEL := build/model-check

MODEL_RUN := $(MODEL)/bin/python -B Tests/Checks/Model/run.py --programs '$(BUILD)'
MODEL_STORES := --weed $(STORE_TOOLS)/bin/weed

.PHONY: model-tools
model-tools: build build-services store-tools
	@$(call make_venv,Tests/Checks/Model/requirements.txt,$(MODEL))

.PHONY: test-model
test-model: model-tools ## Hold documentd against a model of what it should have: calls and kills that Hypothesis chooses from SEED, for MINUTES (5) in SQLite and a folder, then in PostgreSQL and a store that misbehaves
	@$(MODEL_RUN) --minutes $(or $(MINUTES),5) --seed $(SEED)
	@$(MODEL_RUN) --minutes $(or $(MINUTES),5) --seed $(SEED) $(MODEL_STORES)

.PHONY: test-model-controls
test-model-controls: model-tools ## Take one safeguard after the other away from documentd: the model has to find each of them missing
	@$(MODEL_RUN) --minutes 3 --seed $(SEED) --controls
	@$(MODEL_RUN) --minutes 3 --seed $(SEED) --controls $(MODEL_STORES)

.PHONY: soak
soak: build build-services ## Renew keys each minute in the middle of twenty minutes of traffic (MINUTES): nobody may be signed out; then with keys that end
	@python3 Tests/Checks/Soak/rotation.py --programs '$(BUILD)' --minutes $(or $(MINUTES),20)
	@! python3 Tests/Checks/Soak/rotation.py --programs '$(BUILD)' --minutes 1 --control

CLUSTER_SECONDS ?= 600
CLUSTER := python3 -B Tests/Checks/Cluster/run.py --programs '$(BUILD)' --weed $(STORE_TOOLS)/bin/weed --seed $(SEED)

# As root: it makes network namespaces, mounts and firewall rules, all in namespaces of its own.
.PHONY: test-cluster
test-cluster: build build-services store-tools ## Root: kill, stop, cut off and mislead hosts in network namespaces for CLUSTER_SECONDS from SEED, and audit; then without each safeguard
	@$(call install_packages,Tests/Checks/Cluster/packages.txt)
	@$(CLUSTER) --seconds $(CLUSTER_SECONDS)
	@$(CLUSTER) --seconds 60 --control unfenced
	@$(CLUSTER) --seconds 60 --control untied

.PHONY: jobs-quality
jobs-quality: build ## Hold texts of documents, the reading of résumés and the ranking of postings against known truths; writes the tables of docs/jobs.md
	@$(call install_packages,Tests/Checks/JobsQuality/packages.txt)
	@$(SWIFT_BUILD) --product jobs-quality $(QUIET)
	@/usr/bin/python3 Tests/Checks/JobsQuality/run.py --programs '$(BUILD)' --document docs/jobs.md $(JOBS)

.PHONY: bench-service
bench-service: build build-services ## Time documentd beside nginx and the disk: pictures, ranges, pages, lists, rows, uploads, the way to a picture, idling (BENCH='--only lists')
	@$(call install_packages,Benchmarks/packages.txt)
	@$(SWIFT_BUILD) --product document-speed $(QUIET)
	@python3 Benchmarks/service.py --programs '$(BUILD)' $(BENCH)

.PHONY: bench-web
bench-web: web-tools ## Time the screens in Chromium on the emulated network of a phone; writes the table of docs/screens.md
	@$(call install_packages,Benchmarks/packages.txt)
	@$(WEB_CHECK)/bin/python -B Benchmarks/web.py --programs '$(BUILD)'

.PHONY: bench-worker
bench-worker: build build-services ## Time the worker: from enqueueing to starting, per trivial job, two processors against one, a large queue, idling
	@$(SWIFT_BUILD) --product queue-load $(QUIET)
	@python3 Benchmarks/worker.py --programs '$(BUILD)'

.PHONY: torture
torture: build ## Feed COUNT mutated files of the corpus and of samples/ to the renderers, from SEED
	@$(SWIFT_BUILD) --product torture $(QUIET)
	@$(CORPUS_FOLDERS); '$(BUILD)/torture' '$(BUILD)' $(COUNT) $(SEED) samples "$${folders[@]}"

.PHONY: fidelity-tools
fidelity-tools: build
	@$(call install_packages,Tests/Checks/Fidelity/packages.txt)
	@# PDFium is in no Debian package: the build that PyPI has, beside the build and not on the system.
	@cmp -s Tests/Checks/Fidelity/requirements.txt build/fidelity-python/requirements.txt || { \
		/usr/bin/python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade \
		--target build/fidelity-python -r Tests/Checks/Fidelity/requirements.txt \
		&& cp Tests/Checks/Fidelity/requirements.txt build/fidelity-python/; }

.PHONY: fidelity
fidelity: fidelity-tools ## Hold renditions against independent references; writes build/fidelity/ and docs/fidelity.md
	@/usr/bin/python3 Tests/Checks/Fidelity/run.py --compass '$(BUILD)/compass' --corpus "$$COMPASS_CORPUS" $(FIDELITY)
	@/usr/bin/python3 Tests/Checks/Fidelity/verdicts.py '$(BUILD)/compass' "$$COMPASS_CORPUS"

.PHONY: peers
peers: fidelity-tools ## List the files on which other tools agree and compass differs from all of them (PEERS='--only TEXT')
	@/usr/bin/python3 Tests/Checks/Fidelity/peers.py --compass '$(BUILD)/compass' --corpus "$$COMPASS_CORPUS" $(PEERS)

.PHONY: torture-short
torture-short: build ## As torture, 1,500 mutants of samples/ alone
	@$(SWIFT_BUILD) --product torture $(QUIET)
	@'$(BUILD)/torture' '$(BUILD)' 1500 $(SEED) samples

# With coverage and AddressSanitizer, and so apart from the programs that are tested and installed.
FUZZ_BUILD := .build-fuzz
FUZZ := $(FUZZ_BUILD)/release/fuzz
FUZZ_LIMITS := -timeout=5 -rss_limit_mb=1024 -print_final_stats=1
# The shell has a variable of this name.
SECONDS_GIVEN := $(if $(filter command environment,$(origin SECONDS)),$(SECONDS))

.PHONY: fuzz-build
fuzz-build: setup
	@COMPASS_FUZZ=1 $(SWIFT_BUILD) --sanitize=address --scratch-path $(FUZZ_BUILD) --product fuzz $(QUIET)

.PHONY: fuzz
fuzz: fuzz-build fuzz-run ## Fuzz one target for a time: make fuzz T=sniff SECONDS=60 (without T: lists them)

.PHONY: fuzz-run
fuzz-run:
	@[ -n '$(T)' ] || { echo 'make fuzz T=… [SECONDS=60], of:'; $(FUZZ) --list; exit 2; }
	@mkdir -p build/fuzz/$(T)
	@SWIFT_BACKTRACE=enable=no $(FUZZ) $(T) build/fuzz/$(T) samples \
		-max_total_time=$(or $(SECONDS_GIVEN),60) $(FUZZ_LIMITS) -artifact_prefix=build/fuzz/$(T)-

.PHONY: fuzz-short
fuzz-short: fuzz-build ## Fuzz every target for SECONDS (4), as many at once as there are processors, and print a table of what was run
	@$(FUZZ) --list | xargs -P "$$(nproc)" -I TARGET $(MAKE) --no-print-directory -s fuzz-row T=TARGET SECONDS=$(or $(SECONDS_GIVEN),4)

.PHONY: fuzz-row
fuzz-row:
	@mkdir -p build/fuzz
	@$(MAKE) --no-print-directory -s fuzz-run > build/fuzz/$(T).log 2>&1 || { cat build/fuzz/$(T).log >&2; exit 1; }
	@awk '/ cov: / { edges = $$4; features = $$6 } / runs in / { runs = $$2; time = $$5 } \
		END { printf "| `%s` | %d s | %d | %d | %d |\n", "$(T)", time, runs, edges, features }' build/fuzz/$(T).log

# Each sanitizer over the tests of its modules, in a build of its own. Renderers confine themselves too tightly for a sanitizer, so
# the host's tests start those of the ordinary build.
ADDRESS_TESTS := EncodingTests ImageRendererTests PlainRendererTests ResamplingTests
THREAD_TESTS := HTTPServingTests JobQueueTests LibraryTests RenderHostTests WarmSocketTests WorkerTests
UNDER_ADDRESS = COMPASS_TESTS='$(ADDRESS_TESTS)'
UNDER_THREAD = COMPASS_TESTS='$(THREAD_TESTS)'
IN_ADDRESS := -c release --sanitize=address --scratch-path .build-asan
IN_THREAD := -c release --sanitize=thread --scratch-path .build-tsan
STARTED_BY_TESTS := fake-renderer $(RENDERERS) $(RENDERERS:compass-%=probing-%)

.PHONY: sanitize
sanitize: sanitize-address sanitize-thread ## Run tests under AddressSanitizer (the fuzz targets always are) and ThreadSanitizer

# Leak reports are off: libraries keep memory until the end.
.PHONY: sanitize-address
sanitize-address: setup
	@$(UNDER_ADDRESS) swift build $(IN_ADDRESS) --product $(TEST_BUNDLE) $(QUIET)
	@ASAN_OPTIONS=detect_leaks=0 $(call run_tests,.build-asan/release) --logs build/tests/address

.PHONY: sanitize-thread
sanitize-thread: build
	@for product in $(STARTED_BY_TESTS); do $(SWIFT_BUILD) --product $$product $(QUIET); done
	@$(UNDER_THREAD) swift build $(IN_THREAD) --product $(TEST_BUNDLE) $(QUIET)
	@for name in $(STARTED_BY_TESTS) stand-ins; do ln -sfn "$$(realpath '$(BUILD)')/$$name" .build-tsan/release/; done
	@$(call run_tests,.build-tsan/release) --logs build/tests/thread

# Programs are timed as they are installed.
BENCH_PROGRAMS := build/bench-programs
BENCH_PYTHON := /usr/bin/python3

.PHONY: bench-build
bench-build: build
	@$(call install_packages,Benchmarks/packages.txt)
	@for product in floor-frame floor-page warm-cost; do $(SWIFT_BUILD) --product $$product $(QUIET); done
	@rm -rf $(BENCH_PROGRAMS)
	@install -D -s -t $(BENCH_PROGRAMS) $(call built,$(PROGRAMS) $(RENDERERS) floor-frame floor-page warm-cost)
	@$(STAND_INS) $(BENCH_PROGRAMS)/stand-ins > /dev/null

.PHONY: bench
bench: bench-build ## Time compass side by side with other tools; writes Benchmarks/results.md (BENCH='--only TEXT --rounds N')
	@$(BENCH_PYTHON) Benchmarks/run.py --compass $(BENCH_PROGRAMS)/compass $(BENCH)

.PHONY: bench-venv
bench-venv: setup
	@$(call install_packages,Benchmarks/packages.txt)
	@cd Benchmarks && $(BENCH_PYTHON) -B -c 'import environment; environment.prepare_venv()'

.PHONY: bench-short
bench-short: bench-build ## Fail where compass is a third slower beside its peers than Benchmarks/recorded.json says
	@$(BENCH_PYTHON) Benchmarks/short.py --compass $(BENCH_PROGRAMS)/compass

.PHONY: bench-record
bench-record: bench-build ## Write what bench-short holds against to Benchmarks/recorded.json
	@$(BENCH_PYTHON) Benchmarks/short.py --compass $(BENCH_PROGRAMS)/compass --record --rounds 25

.PHONY: bench-warm
bench-warm: build ## Time warm jobs beside the same work without a renderer, and a thousand jobs on one host
	@$(SWIFT_BUILD) --product warm-cost $(QUIET)
	@echo "| class | in a fresh confined child | in this process | difference (medians of 200, in turns) |"; echo "|---|---|---|---|"
	@for pair in image:orientation-1.jpg pdf:pages-24.pdf video:h264.mp4; do '$(BUILD)/warm-cost' cost $${pair%%:*} samples/$${pair#*:}; done
	@echo; echo "| threads | first hundred of 1,000 jobs | last hundred | host's memory after 100 | after 1,000 |"; echo "|---|---|---|---|---|"
	@for threads in 1 2; do '$(BUILD)/warm-cost' endurance $$threads samples; done

.PHONY: bench-socket
bench-socket: build ## Time thumb cold, through the socket of a host with warm renderers, and from the cache (needs COMPASS_CORPUS)
	@for product in warm-cost warm-host; do $(SWIFT_BUILD) --product $$product $(QUIET); done
	@python3 Benchmarks/warm.py --build '$(BUILD)' "plain:$$COMPASS_CORPUS/gen/image/photo20_a.jpg" "pdf:$$COMPASS_CORPUS/gen/pdf/text_500.pdf"

.PHONY: bench-objects
bench-objects: setup ## Time the receiving of an object of 1 GB, on the disk with its digest, beside the disk and the digest alone
	@$(SWIFT_BUILD) --product object-speed $(QUIET)
	@mkdir -p build && rm -rf build/object-speed && mkdir build/object-speed && '$(BUILD)/object-speed' build/object-speed
	@rm -rf build/object-speed

.PHONY: bench-cluster
bench-cluster: setup ## Time the queue on PostgreSQL with ten million jobs, beside COPY and other queues' statements; writes its table of docs/scale.md (BENCH=--quick; half an hour)
	@$(SWIFT_BUILD) --product queue-race $(QUIET)
	@python3 -B Benchmarks/cluster.py --programs '$(BUILD)' $(BENCH)

.PHONY: bench-store
bench-store: build build-services store-tools ## Time pictures of files in a bucket, hits of the cache before it, and uploads beside boto3; writes its table of docs/scale.md (BENCH=--quick)
	@$(call install_packages,Benchmarks/packages.txt)
	@$(STORE_TOOLS)/bin/python -B Benchmarks/store.py --programs '$(BUILD)' --weed $(STORE_TOOLS)/bin/weed $(BENCH)

.PHONY: bench-jobs
bench-jobs: build build-services ## Time searches over 100,000 postings on either database, and text beside pdftotext; writes its table of docs/jobs.md (BENCH=--quick)
	@$(call install_packages,Benchmarks/packages.txt)
	@python3 -B Benchmarks/jobs.py --programs '$(BUILD)' $(BENCH)

.PHONY: bench-enqueue
bench-enqueue: setup ## Time the acceptance of jobs, on disk each, beside what the disk takes for that alone
	@$(SWIFT_BUILD) --product enqueue-speed $(QUIET)
	@mkdir -p build && rm -rf build/enqueue-speed && mkdir build/enqueue-speed && '$(BUILD)/enqueue-speed' build/enqueue-speed

.PHONY: bench-documents
bench-documents: setup ## Time the lists and searches of as many documents as a person may have, in memory (FOLDER=/dev/shm/documents)
	@$(SWIFT_BUILD) --product document-speed $(QUIET)
	@mkdir -p "$(or $(FOLDER),/dev/shm/documents)" && '$(BUILD)/document-speed' "$(or $(FOLDER),/dev/shm/documents)"

.PHONY: samples
samples: ## Make samples/ again (needs ffmpeg, ImageMagick, libvips-tools, exiftool, qpdf, python3)
	@samples/make

BASE ?= origin/main

.PHONY: check
check: setup lint store-tools ## Before a push: format, lint, the layout test, and the unit tests of the modules that differ from BASE (origin/main)
	@.ci/check '$(BASE)' $(STARTED_BY_TESTS) compass-stand-ins

.PHONY: lint
lint: ## Check the sources' format, and that no task is resumed under a lock
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks
	@Tests/Checks/locks Sources

.PHONY: format
format: ## Format the sources
	@swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks

.PHONY: install
install: build build-services ## Install the programs, the service's unit, the manual, completions and the thumbnailer entry under PREFIX
	@install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/libexec/compass' '$(DESTDIR)$(PREFIX)/share/man/man1' \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions' '$(DESTDIR)$(PREFIX)/share/zsh/site-functions' \
		'$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d' '$(DESTDIR)$(PREFIX)/share/thumbnailers' \
		'$(DESTDIR)$(PREFIX)/lib/systemd/system' '$(DESTDIR)$(PREFIX)/share/compass'
	@install -s $(call built,$(PROGRAMS) $(SERVICES)) '$(DESTDIR)$(PREFIX)/bin'
	@install -s $(call built,$(RENDERERS) $(FETCHER) $(COMMANDS)) '$(DESTDIR)$(PREFIX)/libexec/compass'
	@$(STAND_INS) '$(DESTDIR)$(PREFIX)/libexec/compass/stand-ins' > /dev/null
	@install -m 644 packaging/compass.1 packaging/thumbd.1 packaging/documentd.1 '$(DESTDIR)$(PREFIX)/share/man/man1'
	@for unit in thumbd documentd; do sed 's|%PREFIX%|$(PREFIX)|' packaging/$$unit.service > '$(DESTDIR)$(PREFIX)/lib/systemd/system/'$$unit.service; done
	@install -m 644 packaging/thumbd.conf packaging/documentd.conf '$(DESTDIR)$(PREFIX)/share/compass'
	@install -m 644 packaging/compass.thumbnailer '$(DESTDIR)$(PREFIX)/share/thumbnailers'
	@'$(BUILD)/compass' --generate-completion-script bash > '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/compass'
	@'$(BUILD)/compass' --generate-completion-script zsh > '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_compass'
	@'$(BUILD)/compass' --generate-completion-script fish > '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/compass.fish'
	@echo "Installed in $(DESTDIR)$(PREFIX); try: compass doctor"

.PHONY: uninstall
uninstall: ## Remove what install put there
	@rm -rf '$(DESTDIR)$(PREFIX)/libexec/compass' '$(DESTDIR)$(PREFIX)/share/compass'
	@for program in thumbd documentd; do rm -f '$(DESTDIR)$(PREFIX)/bin/'$$program \
		'$(DESTDIR)$(PREFIX)/share/man/man1/'$$program.1 '$(DESTDIR)$(PREFIX)/lib/systemd/system/'$$program.service; done
	@rm -f '$(DESTDIR)$(PREFIX)/bin/compass' '$(DESTDIR)$(PREFIX)/share/man/man1/compass.1' \
		'$(DESTDIR)$(PREFIX)/share/thumbnailers/compass.thumbnailer' \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/compass' \
		'$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_compass' \
		'$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/compass.fish'

.PHONY: clean
clean: ## Remove what was built
	@rm -rf .build .build-* build
