# Thin on purpose: what each target does is in scripts/, Package.swift and CONTRIBUTING.md.
PREFIX ?= /usr/local
export FILE
DIST ?= dist
BIN = .build/release
# Libraries are never looked for beside the programs: no RUNPATH of $ORIGIN.
SEALED = --disable-local-rpath
# The compiler: SWIFT=/path/to/swift, else the one on PATH, else the one that scripts/setup.sh has fetched. Looked for when it is needed.
export SWIFT
IN_SWIFT = env PATH="$$(scripts/swift-path.sh)"
RELEASE = $(IN_SWIFT) AETHER_RELEASE=1 swift build -c release --static-swift-stdlib $(SEALED)
# Optional parts: Package.swift decides. What an earlier build has left behind goes, for `install` takes what is there.
OPTIONAL = aether-share aether-disc
TESTED = $(SEALED) -c release -Xswiftc -enable-testing --scratch-path .build-test
SOURCES = Sources Tests Benchmarks Examples/Sources Examples/Package.swift Package.swift

help:           ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## */\1	/p' Makefile | expand -t 16

run: build      ## plays FILE=... (else the demo clip) in this terminal
	@test -n "$$FILE" || scripts/demo-clip.sh demo/demo.mkv
	@exec $(BIN)/aether-tui -- "$${FILE:-demo/demo.mkv}"

build:          ## the programs, release mode (aether-share only where libsmbclient is, aether-disc where libcdio is)
	@scripts/setup.sh run
	@$(RELEASE) --product aether-tui && $(RELEASE) --product aetherctl && $(RELEASE) --product aether-decoder
	@scripts/catalogue.sh compile .build/locale
	@parts=$$($(IN_SWIFT) swift package describe --type json 2> /dev/null); for program in $(OPTIONAL); do \
	    case $$parts in \
	    *"\"$$program\""*) $(RELEASE) --product $$program || exit 1 ;; \
	    *) rm -f $(BIN)/$$program ;; \
	    esac; \
	done

demo:           ## demo/demo.mkv, made once
	@scripts/demo-clip.sh demo/demo.mkv

test:           ## everything that a clean clone must pass
	@scripts/test.sh $(TESTED)

unit:           ## the tests that need no program and no sound server
	@$(IN_SWIFT) swift build --build-tests $(TESTED) && $(IN_SWIFT) swift test $(TESTED) --skip-build --skip "^(AetherPlayingTests|EndToEndTests)\." && \
	    $(IN_SWIFT) swift test $(TESTED) --skip-build --no-parallel --filter "^AetherPlayingTests\."

api:            ## records the public API of the engine in docs/api, for a change that was meant
	@$(IN_SWIFT) swift build --build-tests $(TESTED) && \
	    AETHER_RECORD_API=1 $(IN_SWIFT) swift test $(TESTED) --skip-build --filter "^AetherEngineTests\.PublicAPITests/"

catalogue:      ## the sentences of the sources into po/, for translators
	@$(IN_SWIFT) swift build --build-tests $(TESTED) && \
	    AETHER_RECORD_CATALOGUE=1 $(IN_SWIFT) swift test $(TESTED) --skip-build --filter "^AetherUITests\.CatalogueTests/" > /dev/null || :
	@scripts/catalogue.sh merge

test-debian13:  ## builds, unit tests and frames on Debian 13, in .build-debian13 (root, debootstrap; ALL=yes: all tests)
	@scripts/test-system.sh debian13 $(if $(filter yes,$(ALL)),test,unit)

test-ubuntu2404: ## the same on Ubuntu 24.04, in .build-ubuntu2404
	@scripts/test-system.sh ubuntu2404 $(if $(filter yes,$(ALL)),test,unit)

test-deb:       ## the packages: lintian, the same bytes twice, install, upgrade, remove (root; DEBOOTSTRAP=yes: in a bare Debian)
	@test -x $(BIN)/aether-tui -a -x $(BIN)/aetherctl -a -x $(BIN)/aether-decoder || $(MAKE) build
	@BIN="$(BIN)" MAKE="$(MAKE)" scripts/test-deb.sh

test-clients:   ## what serve gives, taken by mpv, ffmpeg and others that are installed
	@scripts/test-clients.sh

test-terminals: ## in real terminals, by screenshots (PICTURES=DIR CASES="kitty sextant")
	@scripts/test-terminals.sh --program $(BIN)/aether-tui $(if $(PICTURES),--pictures "$(PICTURES)") $(CASES)

lint:           ## formatting of our Swift files
	@$(IN_SWIFT) swift format lint -r -p --strict $(wildcard $(SOURCES))

manlint:        ## the man pages
	@mandoc -T lint -W warning man/*.[15]

docs:           ## the documentation of AetherEngine (DocC), in .build-docs; a warning fails
	@scripts/docs.sh

check: lint manlint ## lint, man pages, the tests under the thread and address sanitizers, the documentation
	@$(IN_SWIFT) scripts/sanitize.sh thread && $(IN_SWIFT) scripts/sanitize.sh address && scripts/docs.sh .build-address/release

fuzz:           ## each parser of outside bytes, a minute each (SECONDS=60)
	@$(IN_SWIFT) scripts/fuzz.sh $(or $(SECONDS),60)

mutants:        ## mutants of the files of ../shared/corpus, each by all inspectors (COUNT=1000000)
	@$(IN_SWIFT) scripts/mutants.sh $(or $(COUNT),1000000)

soak:           ## two hours of video: memory, threads and descriptors stay as they are (SECONDS=1800 of it with audio)
	@$(IN_SWIFT) scripts/soak.sh $(or $(SECONDS),1800)

hours:          ## hours of simulated playing and of broadcasts, on virtual clocks (HOURS=6 of each of four seeds from SEED=0 on)
	@$(IN_SWIFT) swift build --build-tests $(TESTED) && \
	    AETHER_LONG=1 AETHER_HOURS=$(or $(HOURS),6) AETHER_SEED=$(or $(SEED),0) $(IN_SWIFT) swift test $(TESTED) --skip-build \
	    --filter "LongBroadcastTests|LongTransportTests|SimulatedPlayTests"

bench:          ## figures beside the peers' (docs/benchmarks.md)
	@$(IN_SWIFT) Benchmarks/run.sh

install:        ## PREFIX=/usr/local DESTDIR=
	@test -x $(BIN)/aether-tui -a -x $(BIN)/aetherctl -a -x $(BIN)/aether-decoder || $(MAKE) build
	install -Dm755 -s -t "$(DESTDIR)$(PREFIX)/bin" $(BIN)/aether-tui $(BIN)/aetherctl
	install -Dm755 -s -t "$(DESTDIR)$(PREFIX)/libexec/aether-tui" $(BIN)/aether-decoder
	@for program in $(OPTIONAL); do \
	    test ! -x $(BIN)/$$program || install -Dm755 -s -t "$(DESTDIR)$(PREFIX)/libexec/aether-tui" $(BIN)/$$program || exit 1; \
	done
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/man/man1" man/aether-tui.1 man/aetherctl.1
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/man/man5" man/aether-tui-config.5 man/aether-tui-keys.5 man/aether-tui-theme.5 \
	    man/aether-tui-ipc.5
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/aether-tui/themes" themes/*.toml
	install -Dm755 -t "$(DESTDIR)$(PREFIX)/share/aether-tui/scripts" share/scripts/*
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/applications" share/aether-tui.desktop
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/metainfo" share/aether-tui.metainfo.xml
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps" share/icons/aether-tui.svg
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/icons/hicolor/symbolic/apps" share/icons/aether-tui-symbolic.svg
	scripts/catalogue.sh compile "$(DESTDIR)$(PREFIX)/share/locale"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	    "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	@export LC_ALL=C; for program in aether-tui aetherctl; do \
	    $(BIN)/$$program --generate-completion-script bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$program" && \
	    sed -i '1{/^#!/d}' "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$program" && \
	    $(BIN)/$$program --generate-completion-script zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$program" && \
	    $(BIN)/$$program --generate-completion-script fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$program.fish" || exit 1; \
	done

deb:            ## dist/aether-tui_*.deb for this distribution (DIST=FOLDER)
	@test -x $(BIN)/aether-tui -a -x $(BIN)/aetherctl || $(MAKE) build
	@BIN="$(BIN)" MAKE="$(MAKE)" scripts/package.sh deb "$(DIST)"

tarball:        ## dist/aether-tui-*.tar.xz, to be unpacked anywhere on this distribution
	@test -x $(BIN)/aether-tui -a -x $(BIN)/aetherctl || $(MAKE) build
	@BIN="$(BIN)" MAKE="$(MAKE)" scripts/package.sh tarball "$(DIST)"

examples:       ## builds and runs Examples/, a package of its own that stands on the engine
	@$(IN_SWIFT) scripts/test-examples.sh

clean:          ## removes what was built
	rm -rf .build .build-* Examples/.build dist demo/demo.mkv demo/demo.mkv.recipe Tests/Fixtures/cache

.PHONY: help run build demo test api docs test-clients test-deb test-debian13 test-ubuntu2404 test-terminals unit catalogue lint manlint check fuzz mutants soak hours bench install deb tarball examples clean
