import AetherCore
import AetherDesktop
import AetherTestSupport
import Testing

/// The findings on a machine, and the remedies.
@Suite struct DiagnosisTests {
    private static let terminal = MachineFacts.TerminalFacts(
        name: "kitty 0.26.5", term: "xterm-kitty", columns: 160, rows: 45, answered: true, waited: .milliseconds(3),
        renderer: "kitty", colours: "24bit", utf8: true)

    /// A machine on which all is well.
    private static let well = MachineFacts(
        terminal: .there(terminal),
        audio: MachineFacts.Audio(format: "48000 Hz, 2 channels, float32", server: "PipeWire", plugins: ["pulse"]),
        libraries: [LibraryVersion("FFmpeg", "5.1.9"), LibraryVersion("dav1d", "1.0.0")], hasFilters: true, missingDecoders: [],
        hardware: .opens, speaksTLS: true, findsFont: true,
        ytdlp: MachineFacts.Program(path: "/usr/bin/yt-dlp", version: "2026.10.01"),
        tesseract: MachineFacts.Program(path: "/usr/bin/tesseract", version: "tesseract 5.3.0"),
        shareProgram: "/usr/libexec/aether-tui/aether-share", discProgram: "/usr/libexec/aether-tui/aether-disc",
        kernel: MachineFacts.Kernel(landlock: 4, seccomp: true, noNewPrivileges: true), box: .holds(["seccomp", "Landlock"]),
        folders: [
            MachineFacts.Folder(
                use: "state", path: "/home/a/.local/state/aether-tui", place: .there(mode: 0o700, isOwn: true, isWritable: true))
        ],
        hasAPT: true)

    private func diagnosis(_ change: (inout MachineFacts) -> Void) -> Diagnosis {
        var facts = Self.well
        change(&facts)
        return Diagnosis(facts)
    }

    private func folder(_ path: String, _ place: MachineFacts.Folder.Place) throws -> Finding {
        let diagnosis = diagnosis { $0.folders = [MachineFacts.Folder(use: "cache", path: path, place: place)] }
        return try #require(diagnosis.findings.last { $0.name == "cache" })
    }

    @Test func aWholeMachineHasNothingToMend() {
        let diagnosis = diagnosis { _ in }
        #expect(diagnosis.isHealthy)
        #expect(diagnosis.findings.allSatisfy { $0.state == .works && $0.remedy == nil })
        #expect(Set(diagnosis.findings.map(\.name)).count == diagnosis.findings.count, "each name is one finding")
        #expect(diagnosis.text.hasSuffix("\nnothing stands in the way\n"))
        #expect(diagnosis.text.contains("works    terminal      kitty 0.26.5, 160x45 cells, answered within 3 ms\n"))
        #expect(diagnosis.findings.contains { $0.name == "box" && $0.detail == "aether-decoder: seccomp, Landlock" })
    }

    /// Words that programs read stay: names, areas and states.
    @Test(arguments: ["de", "fr"]) func theReportIsInTheLanguageOfThePerson(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let english = diagnosis { $0.ytdlp = MachineFacts.Program() }
        let theirs = Language.$catalogue.withValue(catalogue) {
            let diagnosis = diagnosis { $0.ytdlp = MachineFacts.Program() }
            return (diagnosis.findings, diagnosis.text)
        }
        #expect(theirs.0.map(\.name) == english.findings.map(\.name) && theirs.0.map(\.area) == english.findings.map(\.area))
        #expect(theirs.0.map(\.remedy) == english.findings.map(\.remedy), "commands are commands")
        let missing = try #require(catalogue.sentences["doctor\u{4}missing"]?.first)
        let lines = theirs.1.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix(missing + " ") && $0.contains("yt-dlp") })
        for word in ["works", "missing", "wrong", "mend:", "nothing stands", "terminal  "] {
            #expect(!theirs.1.contains(word) || language == "fr" && word == "terminal  ", "\(word)")
        }
        // The second column begins at the same place in all lines.
        let column = try #require(lines.first { $0.contains("dav1d") }?.firstRange(of: "dav1d")?.lowerBound)
        let width = lines[0].distance(from: lines[0].startIndex, to: lines[0].firstRange(of: "kitty")?.lowerBound ?? column)
        for line in lines.dropLast() where line.contains("1.0.0") || line.contains("5.1.9") {
            #expect(line.prefix(width).last == " " && line.dropFirst(width).first?.isNumber == true, "\(line)")
        }
    }

    @Test func whatIsOnlyUsefulMayBeMissing() throws {
        let diagnosis = diagnosis {
            ($0.ytdlp, $0.tesseract) = (MachineFacts.Program(), MachineFacts.Program())
            $0.kernel = MachineFacts.Kernel(landlock: 0, seccomp: false, noNewPrivileges: false)
            $0.box = .fails("it does not start")
            ($0.shareProgram, $0.discProgram) = (nil, nil)
            $0.terminal = .none("cannot open ‘/dev/tty’")
        }
        #expect(diagnosis.isHealthy)
        let missing = diagnosis.findings.filter { $0.state == .missing }
        #expect(
            missing.map(\.name) == [
                "terminal", "yt-dlp", "tesseract", "shares", "drives", "Landlock", "seccomp", "no_new_privs", "box",
            ])
        #expect(missing[1].remedy == "sudo apt-get install yt-dlp")
        #expect(missing[2].remedy == "sudo apt-get install tesseract-ocr")
        #expect(missing[3].remedy == "sudo apt-get install libsmbclient-dev && make install")
        #expect(missing[4].remedy == "sudo apt-get install libcdio-dev && make install")
    }

    @Test func aHelperThatDoesNotRunIsToBeMended() throws {
        let diagnosis = diagnosis { $0.ytdlp = MachineFacts.Program(path: "/usr/bin/yt-dlp") }
        let finding = try #require(diagnosis.findings.first { $0.name == "yt-dlp" })
        #expect(finding.state == .wrong && finding.remedy == "sudo apt-get install --reinstall yt-dlp")
        #expect(!diagnosis.isHealthy)
    }

    /// Each way in which there is no audio: what it is called, and what mends it.
    @Test(arguments: [
        (
            MachineFacts.Audio(failure: "no such device", server: "PipeWire"), Finding.State.wrong,
            "PipeWire runs, and ALSA has no way to it: no such device", "sudo apt-get install libasound2-plugins" as String?
        ),
        (
            MachineFacts.Audio(failure: "refused", server: "PulseAudio", plugins: ["pulse"]), .wrong,
            "ALSA's default does not open, though PulseAudio seems to run: refused", nil
        ),
        (
            MachineFacts.Audio(failure: "refused", plugins: ["pulse"], hasCard: true, mayUseCard: false), .wrong,
            "the sound card may not be opened: refused", "sudo usermod -aG audio \"$USER\""
        ),
        (
            MachineFacts.Audio(failure: "busy", plugins: ["pulse"], hasCard: true), .wrong,
            "ALSA's default does not open: busy", nil
        ),
        (
            MachineFacts.Audio(failure: "nothing", plugins: ["pulse"]), .missing,
            "no sound card and no sound server: video plays without audio", nil
        ),
    ])
    func theAudioDeviceSaysWhyItIsSilent(
        _ audio: MachineFacts.Audio, _ state: Finding.State, _ detail: String, _ remedy: String?
    ) throws {
        let diagnosis = diagnosis { $0.audio = audio }
        let finding = try #require(diagnosis.findings.first { $0.name == "audio device" })
        #expect(finding == Finding("audio", "audio device", state, detail, remedy: remedy))
        #expect(!diagnosis.isHealthy)
    }

    @Test func thePluginIsNeededOnlyWhereThereIsAServer() {
        let alone = diagnosis { $0.audio = MachineFacts.Audio(format: "48000 Hz", hasCard: true) }
        #expect(alone.isHealthy)
        let served = diagnosis { $0.audio = MachineFacts.Audio(format: "48000 Hz", server: "PipeWire", hasCard: true) }
        #expect(!served.isHealthy)
    }

    @Test func aDumbTerminalAndOneWithoutUnicodeAreWrong() {
        let dumb = diagnosis {
            var facts = Self.terminal
            (facts.term, facts.renderer, facts.colours, facts.utf8) = ("dumb", nil, nil, false)
            $0.terminal = .there(facts)
        }
        #expect(
            dumb.findings.filter(\.isTrouble).map(\.remedy) == ["export TERM=xterm-256color", "export LC_ALL=C.UTF-8"])
    }

    @Test func librariesThatLackSomethingAreNamed() {
        let bare = diagnosis {
            ($0.hasFilters, $0.missingDecoders, $0.speaksTLS, $0.findsFont) = (false, ["h264", "aac"], false, false)
        }
        #expect(bare.findings.filter(\.isTrouble).map(\.name) == ["libavfilter", "decoders", "https", "fonts"])
        #expect(bare.text.contains("this build of FFmpeg has none for h264, aac"))
        #expect(bare.text.hasSuffix("\n4 things to mend\n"))
    }

    @Test func aMachineWithoutAGraphicsDeviceIsWhole() throws {
        let bare = diagnosis { $0.hardware = .none("cannot open ‘VA-API’: its driver does not start") }
        #expect(bare.isHealthy)
        let finding = try #require(bare.findings.first { $0.name == "VA-API" })
        #expect(finding.state == .missing)
        #expect(finding.detail == "cannot open ‘VA-API’: its driver does not start; software decodes all video")
    }

    @Test func foldersSayWhatIsWrongWithThem() throws {
        #expect(try folder("/c", .absent(canBeMade: true)).state == .works)
        #expect(try folder("/c", .absent(canBeMade: false)).remedy == "sudo install -d -m 700 -o \"$USER\" /c")
        #expect(try folder("/c", .occupied).remedy == "mv /c /c.old")
        #expect(try folder("", .homeless).state == .wrong)
        #expect(try folder("/c", .there(mode: 0o755, isOwn: true, isWritable: true)).state == .works)
        #expect(try folder("/c", .there(mode: 0o700, isOwn: false, isWritable: false)).remedy == "sudo chown -R \"$USER\" /c")
        #expect(try folder("/c", .there(mode: 0o500, isOwn: true, isWritable: false)).remedy == "chmod u+rwx /c")
        let open = try folder("/c", .there(mode: 0o1777, isOwn: true, isWritable: true))
        #expect(open.detail == "others may write into /c (01777)" && open.remedy == "chmod go-w /c")
    }

    @Test func aPathInACommandIsOneWordWhateverItHolds() throws {
        let path = "/home/a b/it's; rm -rf $HOME"
        #expect(
            try folder(path, .there(mode: 0o777, isOwn: true, isWritable: true)).remedy
                == "chmod go-w '/home/a b/it'\\''s; rm -rf $HOME'")
    }

    @Test func withoutAPTThePackageIsNamed() {
        let other = diagnosis { ($0.hasAPT, $0.findsFont) = (false, false) }
        #expect(
            other.findings.first(where: \.isTrouble)?.remedy
                == "install what Debian calls fonts-dejavu-core, by your own package manager")
    }

    @Test func theJSONHoldsTheSame() {
        let diagnosis = diagnosis { $0.ytdlp = MachineFacts.Program() }
        #expect(diagnosis.json["healthy"] == .bool(true))
        let findings = diagnosis.json["findings"]?.values ?? []
        #expect(findings.count == diagnosis.findings.count)
        let ytdlp = findings.first { $0["name"] == .string("yt-dlp") }
        #expect(ytdlp?["area"]?.text == "programs" && ytdlp?["state"]?.text == "missing" && ytdlp?["needed"] == .bool(false))
        #expect(ytdlp?["detail"]?.text == "pages of web sites are not played without it")
        #expect(ytdlp?["remedy"]?.text == "sudo apt-get install yt-dlp")
    }

    @Test func whatWasFoundCannotWriteToTheTerminal() {
        let hostile = diagnosis { $0.libraries = [LibraryVersion("FFmpeg", "5\u{1B}[2J\n6")] }
        #expect(!hostile.text.contains("\u{1B}") && hostile.text.contains("5"))
    }
}
