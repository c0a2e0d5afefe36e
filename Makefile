# Thin on purpose: what each target does is in scripts/, Package.swift and CONTRIBUTING.md.
PREFIX ?= /usr/local
export FILE
BIN = .build/release
# Libraries are never looked for beside the programs: no RUNPATH of $ORIGIN.
SEALED = --disable-local-rpath
RELEASE = swift build -c release --static-swift-stdlib $(SEALED)
TESTED = $(SEALED) -c release -Xswiftc -enable-testing --scratch-path .build-test
SOURCES = Sources Tests Benchmarks Package.swift

help:           ## this list
	@sed -n 's/^\([a-z-]*\):.*## */\1	/p' Makefile | expand -t 16

run: build      ## plays FILE=... (else the demo clip) in this terminal
	@test -n "$$FILE" || scripts/demo-clip.sh demo/demo.mkv
	@exec $(BIN)/aether-tui -- "$${FILE:-demo/demo.mkv}"

build:          ## both programs, release mode
	@scripts/setup.sh run
	@$(RELEASE) --product aether-tui && $(RELEASE) --product aetherctl

demo:           ## demo/demo.mkv, made once
	@scripts/demo-clip.sh demo/demo.mkv

test:           ## everything that a clean clone must pass
	@scripts/test.sh $(TESTED)

unit:           ## the tests that need no program and no sound server
	@swift build --build-tests $(TESTED) && swift test $(TESTED) --skip-build --skip "^(AetherPlayingTests|EndToEndTests)\." && \
	    swift test $(TESTED) --skip-build --no-parallel --filter "^AetherPlayingTests\."

test-terminals: ## in real terminals, by screenshots (PICTURES=DIR CASES="kitty sextant")
	@scripts/test-terminals.sh --program $(BIN)/aether-tui $(if $(PICTURES),--pictures "$(PICTURES)") $(CASES)

lint:           ## formatting of our Swift files
	@swift format lint -r -p --strict $(wildcard $(SOURCES))

manlint:        ## the man pages
	@mandoc -T lint -W warning man/*.[15]

check: lint manlint ## lint, man pages, the tests under the thread and address sanitizers
	@scripts/sanitize.sh thread && scripts/sanitize.sh address

fuzz:           ## each parser of outside bytes, a minute each (SECONDS=60)
	@scripts/fuzz.sh $(or $(SECONDS),60)

soak:           ## two hours of video: memory, threads and descriptors stay as they are (SECONDS=1800 of it with audio)
	@scripts/soak.sh $(or $(SECONDS),1800)

bench:          ## figures beside the peers' (docs/benchmarks.md)
	@Benchmarks/run.sh

install:        ## PREFIX=/usr/local DESTDIR=
	@test -x $(BIN)/aether-tui -a -x $(BIN)/aetherctl || $(MAKE) build
	install -Dm755 -s -t "$(DESTDIR)$(PREFIX)/bin" $(BIN)/aether-tui $(BIN)/aetherctl
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/man/man1" man/aether-tui.1 man/aetherctl.1
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/man/man5" man/aether-tui-config.5 man/aether-tui-keys.5 man/aether-tui-theme.5 \
	    man/aether-tui-ipc.5
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/aether-tui/themes" themes/*.toml
	install -Dm755 -t "$(DESTDIR)$(PREFIX)/share/aether-tui/scripts" share/scripts/*
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/applications" share/aether-tui.desktop
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	    "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	@for program in aether-tui aetherctl; do \
	    $(BIN)/$$program --generate-completion-script bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$program" && \
	    $(BIN)/$$program --generate-completion-script zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$program" && \
	    $(BIN)/$$program --generate-completion-script fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$program.fish" || exit 1; \
	done

clean:          ## removes what was built
	rm -rf .build .build-* demo/demo.mkv demo/demo.mkv.recipe Tests/Fixtures/cache

.PHONY: help run build demo test test-terminals unit lint manlint check fuzz soak bench install clean
