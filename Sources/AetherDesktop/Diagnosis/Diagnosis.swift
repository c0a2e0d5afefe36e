public import AetherCore

/// The judgement on a machine: the parts that work, the parts that do not, and the commands that mend them. Pure: it judges facts that
/// others have gathered.
public struct Diagnosis: Sendable {
    /// All findings, those of an area side by side.
    public let findings: [Finding]

    /// The judgement on a machine.
    public init(_ facts: MachineFacts) {
        findings =
            Self.terminal(facts.terminal) + Self.audio(facts) + Self.libraries(facts) + Self.fonts(facts) + Self.programs(facts)
            + Self.kernel(facts.kernel) + [Self.box(facts.box)] + facts.folders.map(Self.folder)
    }

    /// Whether nothing stands in the way of playing.
    public var isHealthy: Bool { !findings.contains(where: \.isTrouble) }

    // MARK: - Reports

    /// A line for each finding, and one more for its remedy. Ends with a line feed.
    public var text: String {
        let mend = translated("mend:"), names = (findings.map(\.title.count).max() ?? 0) + 2
        let states = max(9, ([mend] + Finding.State.allCases.map(\.words)).map(\.count).max().map { $0 + 1 } ?? 0)
        let lines = findings.flatMap { finding -> [String] in
            let start = finding.state.words.padded(to: states) + finding.title.padded(to: names)
            let line = start + DisplayText.singleLine(finding.detail)
            guard let remedy = finding.remedy else { return [line] }
            return [line, mend.padded(to: states) + String(repeating: " ", count: names) + DisplayText.singleLine(remedy)]
        }
        let troubles = findings.count(where: \.isTrouble)
        let verdict =
            troubles == 0
            ? translated("nothing stands in the way")
            : translated(one: "\(troubles) thing to mend", other: "\(troubles) things to mend", count: troubles)
        return (lines + ["", verdict]).joined(separator: "\n") + "\n"
    }

    /// The report for programs.
    public var json: JSON {
        .object([
            ("healthy", .bool(isHealthy)),
            (
                "findings",
                .array(
                    findings.map { finding in
                        .object([
                            ("area", .string(finding.area)), ("name", .string(finding.name)),
                            ("state", .string(finding.state.rawValue)), ("needed", .bool(finding.isNeeded)),
                            ("detail", .string(DisplayText.singleLine(finding.detail))),
                            ("remedy", JSON(finding.remedy.map { DisplayText.singleLine($0) })),
                        ])
                    })
            ),
        ])
    }

    // MARK: - Areas

    private static func terminal(_ terminal: MachineFacts.Terminal) -> [Finding] {
        guard case .there(let facts) = terminal else {
            guard case .none(let reason) = terminal else { return [] }
            return [Finding("terminal", "terminal", .missing, needed: false, translated("none to show video in: \(reason)"))]
        }
        let name = facts.name.isEmpty ? translated("unknown, TERM \(facts.term)") : facts.name
        let milliseconds = Int(facts.waited.milliseconds.rounded())
        let size = "\(facts.columns)x\(facts.rows)"
        let detail =
            facts.answered
            ? translated("\(name), \(size) cells, answered within \(milliseconds) ms")
            : translated("\(name), \(size) cells, no answer in \(milliseconds) ms, judged by its variables")
        var findings = [Finding("terminal", "terminal", .works, detail)]
        if let renderer = facts.renderer {
            let detail = facts.colours.map { translated("\(renderer), \($0) colours") } ?? translated("\(renderer), no colours")
            findings.append(Finding("terminal", "video", .works, detail))
        } else {
            let detail =
                facts.term.isEmpty
                ? translated("TERM is not set: the cursor cannot be placed, so that only plain lines are shown")
                : translated("TERM is ‘\(facts.term)’: the cursor cannot be placed, so that only plain lines are shown")
            findings.append(
                Finding(
                    "terminal", "video", .wrong, detail,
                    remedy: "export TERM=xterm-256color"))
        }
        findings.append(
            facts.utf8
                ? Finding("terminal", "UTF-8", .works, translated("letters and blocks of all scripts"))
                : Finding(
                    "terminal", "UTF-8", .wrong, translated("neither the locale nor the terminal has it: ASCII only"),
                    remedy: "export LC_ALL=C.UTF-8"))
        return findings
    }

    private static func audio(_ facts: MachineFacts) -> [Finding] {
        let audio = facts.audio
        var findings: [Finding] = []
        let install = remedy(installing: "libasound2-plugins", facts)
        let lacksPlugin = audio.server != nil && audio.plugins.isEmpty
        if let format = audio.format {
            findings.append(Finding("audio", "audio device", .works, translated("ALSA's default opens: \(format)")))
        } else {
            let reason = audio.failure.map { ": \($0)" } ?? ""
            switch (audio.server, audio.hasCard) {
            case (.some(let server), _) where lacksPlugin:
                findings.append(
                    Finding(
                        "audio", "audio device", .wrong, translated("\(server) runs, and ALSA has no way to it\(reason)"),
                        remedy: install))
            case (.some(let server), _):
                findings.append(
                    Finding(
                        "audio", "audio device", .wrong,
                        translated("ALSA's default does not open, though \(server) seems to run\(reason)")))
            case (nil, true) where !audio.mayUseCard:
                findings.append(
                    Finding(
                        "audio", "audio device", .wrong, translated("the sound card may not be opened\(reason)"),
                        remedy: "sudo usermod -aG audio \"$USER\""))
            case (nil, true):
                findings.append(Finding("audio", "audio device", .wrong, translated("ALSA's default does not open\(reason)")))
            case (nil, false):
                findings.append(
                    Finding(
                        "audio", "audio device", .missing,
                        translated("no sound card and no sound server: video plays without audio")))
            }
        }
        findings.append(
            audio.server.map { Finding("audio", "sound server", .works, needed: false, $0) }
                ?? Finding(
                    "audio", "sound server", .missing, needed: false, translated("none runs: one program at a time has the card"))
        )
        findings.append(
            audio.plugins.isEmpty
                ? Finding(
                    "audio", "ALSA plugin", .missing, needed: lacksPlugin, translated("no way to PulseAudio or PipeWire"),
                    remedy: install)
                : Finding("audio", "ALSA plugin", .works, needed: false, audio.plugins.joined(separator: ", ")))
        return findings
    }

    private static func libraries(_ facts: MachineFacts) -> [Finding] {
        var findings = facts.libraries.map { Finding("libraries", $0.name, .works, $0.version) }
        findings.append(
            facts.hasFilters
                ? Finding("libraries", "libavfilter", .works, translated("loaded when it is needed"))
                : Finding(
                    "libraries", "libavfilter", .missing, translated("no other speeds, no deinterlacing, no equaliser"),
                    remedy: remedy(installing: "ffmpeg", facts)))
        findings.append(
            facts.missingDecoders.isEmpty
                ? Finding("libraries", "decoders", .works, translated("all common ones"))
                : Finding(
                    "libraries", "decoders", .wrong,
                    translated("this build of FFmpeg has none for \(facts.missingDecoders.joined(separator: ", "))")))
        switch facts.hardware {
        case .opens:
            let detail = translated("a device opens: --hwdec vaapi with --no-sandbox tries it on each stream")
            findings.append(Finding("libraries", "VA-API", .works, needed: false, detail))
        case .none(let reason):
            let detail = translated("\(reason); software decodes all video")
            findings.append(Finding("libraries", "VA-API", .missing, needed: false, detail))
        }
        if !facts.speaksTLS {
            findings.append(Finding("libraries", "https", .wrong, translated("this libcurl was built without TLS")))
        }
        return findings
    }

    private static func fonts(_ facts: MachineFacts) -> [Finding] {
        [
            facts.findsFont
                ? Finding("fonts", "fonts", .works, translated("fontconfig finds one for subtitles in pixels"))
                : Finding(
                    "fonts", "fonts", .missing, translated("none: styled subtitles in pixels stay empty"),
                    remedy: remedy(installing: "fonts-dejavu-core", facts))
        ]
    }

    private static func programs(_ facts: MachineFacts) -> [Finding] {
        [
            program("yt-dlp", facts.ytdlp, translated("pages of web sites are not played without it"), package: "yt-dlp", facts),
            program(
                "tesseract", facts.tesseract, translated("image subtitles are not turned into text without it"),
                package: "tesseract-ocr", facts
            ),
            ours(
                "shares", facts.shareProgram, translated("aether-share is not installed: smb:// and nfs:// are not opened"),
                library: "libsmbclient-dev", facts),
            ours(
                "drives", facts.discProgram,
                translated("aether-disc is not installed: audio CDs and Video CDs play from images alone"),
                library: "libcdio-dev", facts),
        ]
    }

    /// A program of ours that is built where its library is found.
    private static func ours(_ name: String, _ path: String?, _ loss: String, library: String, _ facts: MachineFacts) -> Finding {
        guard let path else {
            let library = remedy(installing: library, facts)
            return Finding(
                "programs", name, .missing, needed: false, loss,
                remedy: facts.hasAPT ? library + " && make install" : translated("\(library), and then make install"))
        }
        return Finding("programs", name, .works, needed: false, path)
    }

    private static func program(
        _ name: String, _ program: MachineFacts.Program, _ loss: String, package: String, _ facts: MachineFacts
    ) -> Finding {
        guard let path = program.path else {
            return Finding(
                "programs", name, .missing, needed: false, loss, remedy: remedy(installing: package, facts))
        }
        guard let version = program.version else {
            return Finding(
                "programs", name, .wrong, translated("\(path) does not run"),
                remedy: remedy(installing: package, facts, again: true))
        }
        return Finding("programs", name, .works, needed: false, "\(version), \(path)")
    }

    private static func kernel(_ kernel: MachineFacts.Kernel) -> [Finding] {
        func finding(_ name: String, _ isThere: Bool, _ detail: String, _ loss: String) -> Finding {
            Finding("kernel", name, isThere ? .works : .missing, needed: false, isThere ? detail : loss)
        }
        return [
            finding(
                "Landlock", kernel.landlock > 0, translated("version \(kernel.landlock)"),
                translated("files cannot be shut off: Linux before 5.13, or switched off at boot (lsm=)")),
            finding(
                "seccomp", kernel.seccomp, translated("filters can end a process"), translated("system calls cannot be shut off")),
            finding(
                "no_new_privs", kernel.noNewPrivileges, translated("in use"),
                translated("programs may gain rights: Linux before 3.5")),
        ]
    }

    private static func box(_ box: MachineFacts.Box) -> Finding {
        switch box {
        case .holds(let parts):
            Finding("kernel", "box", .works, needed: false, "aether-decoder: " + parts.joined(separator: ", "))
        case .fails(let reason): Finding("kernel", "box", .missing, needed: false, reason)
        }
    }

    private static func folder(_ folder: MachineFacts.Folder) -> Finding {
        let path = folder.path, quoted = ShellWord.quoted(folder.path)
        func wrong(_ detail: String, _ remedy: String) -> Finding {
            Finding("folders", folder.use, .wrong, detail, remedy: remedy)
        }
        switch folder.place {
        case .homeless: return wrong(translated("HOME is not set: nothing is remembered"), "export HOME=~")
        case .absent(true): return Finding("folders", folder.use, .works, translated("\(path), made when it is needed"))
        case .absent(false): return wrong(translated("\(path) cannot be made"), "sudo install -d -m 700 -o \"$USER\" \(quoted)")
        case .occupied: return wrong(translated("\(path) is not a folder"), "mv \(quoted) \(ShellWord.quoted(path + ".old"))")
        case .there(_, false, false): return wrong(translated("\(path) is another user's"), "sudo chown -R \"$USER\" \(quoted)")
        case .there(let mode, true, false):
            return wrong(translated("\(path) is closed to its owner (\(octal(mode)))"), "chmod u+rwx \(quoted)")
        // The sticky bit does not help: the first to make a file is its owner.
        case .there(let mode, _, true) where mode & 0o022 != 0:
            return wrong(translated("others may write into \(path) (\(octal(mode)))"), "chmod go-w \(quoted)")
        case .there(let mode, _, true): return Finding("folders", folder.use, .works, "\(path), \(octal(mode))")
        }
    }

    // MARK: - Words

    private static func octal(_ mode: UInt32) -> String { "0" + String(mode & 0o7777, radix: 8) }

    private static func remedy(installing package: String, _ facts: MachineFacts, again: Bool = false) -> String {
        facts.hasAPT
            ? "sudo apt-get install \(again ? "--reinstall " : "")\(package)"
            : translated("install what Debian calls \(package), by your own package manager")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
