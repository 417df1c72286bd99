# goated: "make run" sets everything up and starts it, "make test" sets up what
# the tests need and runs them.
.POSIX:
.PHONY: help keeper run build headless test check style lint race racewindow stress tools props fuzz soak soak-disk bench bench-check benchmarks outline mutants clean picture reach proto

# The same flags everywhere, so that one build cache serves all. Without -trimpath, a program
# holds the folder of its source, so that another checkout compiles all packages again. The
# environment holds it, because tests build programs, too.
GOFLAGS := $(shell go env GOFLAGS 2>/dev/null) -trimpath
export GOFLAGS
CI = CGO_ENABLED=0
TAGS = -tags ci

# The seed of the properties in "make test": the same commit has the same result every
# time. "make props" and "make stress" take other seeds. Each property has 100 cases, the least
# that seed 003 asks for.
SEED = RAPID_SEED=1

# Tests need no tables of symbols or for a debugger: without them, linking takes half of
# the time.
LINK = -ldflags=-s

SOURCE = agent assets client cmd internal properties_test registry servers ui

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile

run: ## install what is missing, build, and open the window
	@sh internal/setup/run.sh

build: keeper ## the program with the window, in bin/goated
	CGO_ENABLED=1 sh internal/setup/build.sh bin/goated ./cmd/goated

headless: keeper ## the static program without the window, in bin/goated-headless
	CGO_ENABLED=0 sh internal/setup/build.sh bin/goated-headless -tags headless ./cmd/goated

keeper: # the small program that goated embeds to supervise each server
	@sh internal/setup/keeper.sh

tools: ## install what the tests run on, into .tools
	@sh internal/setup/tools.sh

# go test starts packages in this order, so the longest run beside all others. Only the
# order counts: each package runs once.
FIRST = ./cmd/goated ./ui ./client ./properties_test ./internal/store
ORDERED = $(FIRST) ./...

# Tests wait for servers, windows and programs more than they compute. With more of them at
# a time than there are cores, both cores are busy to the end: with -p 3, 86 % of them was used,
# with -p 4, 93 %.
WIDE = -p 4 -parallel 3

# Where tests draw or store much, more than a tenth of their processor time went into
# collecting garbage of small heaps. Beyond GOMEMLIMIT the collector runs as ever. Fyne keeps
# the renderers of a closed window for a minute, and with them the window: hundreds of windows
# of tests reached that limit. FYNE_CACHE is how long it keeps them.
HEAP = GOGC=400 GOMEMLIMIT=1GiB FYNE_CACHE=5s

# The Python of the tools comes first in the PATH of the tests. A Python with modules of the user
# may load some of them at each start, and a shim of pyenv runs shell scripts: with either, a
# server took several times the processor time.
NOSHIM = PATH="$$(sh internal/setup/path.sh)"

# The first build of the window takes minutes of C: it must not count for a test's time.
# style has run all of vet. -timeout is for one package: three times what the longest takes on
# a busy machine, because a test that hangs says so only then.
test: tools style build headless ## run all checks and tests once: gofmt, vet, staticcheck, tests
	GOATED_WINDOW=$(CURDIR)/bin/goated GOATED_HEADLESS=$(CURDIR)/bin/goated-headless $(NOSHIM) $(HEAP) $(SEED) $(CI) go test $(TAGS) $(LINK) $(WIDE) -vet=off -timeout 15m $(ORDERED)

check: lint test race racewindow ## run everything that a change has to pass

# The detector sees nothing of ours in these, and would take half of the time in them: SQLite
# is C, translated into Go, with its own memory and locks. The others shape and draw text on
# the UI goroutine.
RACE = -race $(UNSEEN:%=-gcflags=%=-race=false)
UNSEEN = modernc.org/sqlite/lib modernc.org/libc github.com/go-text/typesetting/... golang.org/x/image/... golang.org/x/text/... image image/...

# The properties have no goroutines of their own, so a few cases of each are enough here: 20,
# because -short divides RAPID_CHECKS by five. With fewer, some properties say nothing and fail.
# HEAP is not for the detector: some tests take longer than FYNE_CACHE there.
race: tools ## run the short form of the tests under the race detector, of packages with goroutines
	$(NOSHIM) $(SEED) RAPID_CHECKS=100 CGO_ENABLED=1 go test $(RACE) -short $(TAGS) $(LINK) $(WIDE) -vet=off -timeout 20m $(FIRST) $$(sh internal/setup/concurrent.sh)

RUNS = 20

stress: tools build headless ## run the tests RUNS times in a row, in random order, while both cores are busy
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	$(HEAP) $(CI) sh internal/setup/prebuilt.sh build "$$dir" $(TAGS) $(LINK) $(WIDE) -vet=off $(ORDERED) && \
	GOATED_WINDOW=$(CURDIR)/bin/goated GOATED_HEADLESS=$(CURDIR)/bin/goated-headless RUNS=$(RUNS) sh internal/setup/stress.sh $(NOSHIM) $(HEAP) $(CI) sh internal/setup/prebuilt.sh run "$$dir" -test.shuffle=on -test.parallel=3 -test.timeout=30m

racewindow: tools ## the scripts of the real window, with a program under the race detector
	CGO_ENABLED=1 go build -race -o bin/goated-race ./cmd/goated
	GOATED_WINDOW=$(CURDIR)/bin/goated-race $(CI) go test -count=1 -run '^TestWindow' $(TAGS) ./cmd/goated

style: ## check formatting, vet and staticcheck
	@unformatted=$$(gofmt -l $(SOURCE)); test -z "$$unformatted" || { echo "Run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	$(CI) go vet $(TAGS) ./...
	CGO_ENABLED=0 go vet -tags headless ./cmd/goated
	$(CI) go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 $(TAGS) ./...

lint: style ## check style, the other systems, and that go.mod is tidy
	GOOS=windows CGO_ENABLED=0 go vet $(TAGS) ./client ./servers/... ./agent ./registry ./internal/...
	GOOS=darwin CGO_ENABLED=0 go vet $(TAGS) ./client ./servers/... ./agent ./registry ./internal/...
	go mod tidy -diff

props: tools ## the properties, 10,000 times each, and 10,000,000 strings of servers
	$(CI) RAPID_CHECKS=10000 go test $(TAGS) -timeout 60m ./properties_test ./agent ./registry ./ui/view ./ui/view/markdown
	$(CI) RAPID_CHECKS=1000 go test $(TAGS) -timeout 60m -run Random ./servers/desktop/backend
	$(CI) RAPID_CHECKS=1000 RAPID_STEPS=30 go test $(TAGS) -timeout 60m -run MemoryIsAMap ./servers/ghost
	$(CI) GOATED_STRINGS=10000000 go test $(TAGS) -timeout 60m -run Unmarked ./internal/safetext

outline: tools ## compare outlines with Go, Python and TypeScript on whole source trees: 10 minutes
	GOATED_OUTLINE=all $(CI) go test $(TAGS) -v -count=1 -timeout 0 -run Match ./servers/llmem/outline

FUZZ = 1000000x

fuzz: ## a million frames, and what else is read from outside; FUZZ says how many
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzMessages -fuzztime $(FUZZ) -fuzzminimizetime 10x ./internal/jsonscan
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzLines -fuzztime $(FUZZ) -fuzzminimizetime 10x ./client/internal/stdio
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzStrip -fuzztime $(FUZZ) -fuzzminimizetime 10x ./internal/ansi
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzHeader -fuzztime $(FUZZ) -fuzzminimizetime 10x ./internal/sandbox/busfilter
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzAnswer -fuzztime $(FUZZ) -fuzzminimizetime 10x ./servers/desktop/atspi/direct
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzRegistry -fuzztime 100000x -fuzzminimizetime 10x ./registry
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzEvents -fuzztime 60s -fuzzminimizetime 10x ./agent/wire
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzImport -fuzztime 60s -fuzzminimizetime 10x ./internal/store
	$(CI) go test $(TAGS) -run '^$$' -fuzz FuzzOpen -fuzztime 60s -fuzzminimizetime 10x ./internal/store

SOAK = 5m

soak: ## a form in Chromium, servers that fail every second, kills of the host, cycles, floods, and how soon what is known; SOAK=72h says how long
	GOATED_SOAK=$(SOAK) GOATED_SOAK_CYCLES=10000 GOATED_SOAK_KILLS=1000 GOATED_SOAK_CLOSES=200 GOATED_SOAK_CANCELS=100000 \
		GOATED_SOAK_PROGRESS=1000000 GOATED_SOAK_STDERR=10240 GOATED_SOAK_FRAME=64 GOATED_SOAK_FIGURES=100 $(CI) \
		go test $(TAGS) -v -count=1 -timeout 0 -run 'Soak|NobodySurvives|CloseInTime|ForkBomb' ./client
	GOATED_LONG=1 $(CI) go test $(TAGS) -v -count=1 -run '^Test(BuildsAreConfined|Diagnoses|PortTaken|RealServers|TurnWithRealServers|PopularServers)$$' ./client ./properties_test ./internal/reach
	GOATED_DESKTOP_LONG=1 $(CI) go test $(TAGS) -v -count=1 -run 'ChromiumForm|ElementsOfAPage|ChatSendsAForm|Wayland.*OfGNOME|EnlargedPrograms|OtherLayouts' ./servers/desktop/atspi ./servers/desktop/backend ./servers/desktop/x11/input ./cmd/goated
	GOATED_LONG=1 $(CI) go test $(TAGS) -v -count=1 -run 'FitsTheScreen|LooksTheSameLater' ./cmd/goated
	GOATED_SOCKET_KILLS=2000 GOATED_SOCKET_FORGERIES=100000 $(CI) go test $(TAGS) -v -count=1 -timeout 0 -run 'Kills|Forged|Malformed' ./servers/pause/dialogsocket

KILLS = 10000
WRITES = 20000

soak-disk: ## kill -9 during chat, 10,000 times and at each system call, and of 64 writers of one memory; KILLS and WRITES say how many
	GOATED_KILLS=$(KILLS) $(CI) go test $(TAGS) -v -count=1 -timeout 0 -run 'Kill|FailingSync|NoSpace' ./internal/store
	GOATED_MEMORY=$(WRITES) $(CI) go test $(TAGS) -v -count=1 -timeout 0 -run Killed ./servers/ghost

BENCH = internal/bench/results.json

bench: tools ## goated beside its peers and beside a floor, and LLMem beside grep and native tree-sitter: 6 minutes, one more with GOATED_CODE_TASKS; prints a table, draws docs/img/bench.svg, fails if a goal is missed by more than noise
	@sh internal/setup/peers.sh
	$(CI) go test $(TAGS) -v -run '^TestCodeTasks$$' -bench 'Workspace|Change|Questions' -benchtime 1x -timeout 30m ./servers/llmem
	$(CI) go test $(TAGS) -run '^$$' -bench Cold -benchtime 1x -timeout 30m ./servers/llmem/outline
	$(CI) go run $(TAGS) ./internal/bench -out $(BENCH) -picture docs/img/bench.svg

bench-check: tools ## fail if the figure of a goal or a ratio is more than 20 % worse than the committed one; a time alone may double
	@sh internal/setup/peers.sh
	$(CI) go test $(TAGS) -v -count=1 -run '^Test(CodeTasks|Questions)$$' ./servers/llmem
	$(CI) go run $(TAGS) ./internal/bench -check $(BENCH)

benchmarks: tools ## the benchmarks of single packages
	$(CI) go test $(TAGS) -run '^$$' -bench . -benchmem ./client ./internal/sandbox ./registry ./agent ./internal/store ./servers/... ./ui/... ./cmd/goated

reach: tools ## connect the servers that people use, each with the command from its README; SERVER=git runs those with that name
	PATH="$(CURDIR)/.tools/reach/bin:$$PATH" sh internal/setup/reach.sh $(CI) go run $(TAGS) ./internal/reach -v -only "$(SERVER)"

mutants: tools ## apply deliberate faults one at a time and list those that no test notices; ONLY=agent runs a part
	$(CI) go run ./internal/mutants -only '$(ONLY)'

picture: tools ## take the pictures in docs/img again
	GOATED_GALLERY=$(CURDIR)/docs/img $(CI) go test -count=1 -run '^TestGallery' $(TAGS) ./cmd/goated

proto: ## generate the Go code of servers/desktop/proto again
	$(CI) go run $(TAGS) ./internal/protogen servers/desktop/proto

clean: ## remove what make and the tests made, except .tools
	rm -rf bin internal/keeper/program/keeper internal/keeper/program/made-from "$${XDG_CACHE_HOME:-$$HOME/.cache}/goated-tests"
