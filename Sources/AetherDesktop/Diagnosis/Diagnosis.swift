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
        let names = (findings.map(\.name.count).max() ?? 0) + 2
        let lines = findings.flatMap { finding -> [String] in
            let start = finding.state.rawValue.padded(to: 9) + finding.name.padded(to: names)
            let line = start + DisplayText.singleLine(finding.detail)
            guard let remedy = finding.remedy else { return [line] }
            return [line, "mend:".padded(to: 9) + String(repeating: " ", count: names) + DisplayText.singleLine(remedy)]
        }
        let troubles = findings.count(where: \.isTrouble)
        let verdict = troubles == 0 ? "nothing stands in the way" : "\(troubles) \(troubles == 1 ? "thing" : "things") to mend"
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
            return [Finding("terminal", "terminal", .missing, needed: false, "none to show video in: \(reason)")]
        }
        let name = facts.name.isEmpty ? "unknown, TERM \(facts.term)" : facts.name
        let milliseconds = Int(facts.waited.milliseconds.rounded())
        let answer =
            facts.answered ? "answered within \(milliseconds) ms" : "no answer in \(milliseconds) ms, judged by its variables"
        var findings = [Finding("terminal", "terminal", .works, "\(name), \(facts.columns)x\(facts.rows) cells, \(answer)")]
        if let renderer = facts.renderer {
            findings.append(Finding("terminal", "video", .works, "\(renderer), \(facts.colours ?? "no") colours"))
        } else {
            let term = facts.term.isEmpty ? "TERM is not set" : "TERM is ‘\(facts.term)’"
            findings.append(
                Finding(
                    "terminal", "video", .wrong, "\(term): the cursor cannot be placed, so that only plain lines are shown",
                    remedy: "export TERM=xterm-256color"))
        }
        findings.append(
            facts.utf8
                ? Finding("terminal", "UTF-8", .works, "letters and blocks of all scripts")
                : Finding(
                    "terminal", "UTF-8", .wrong, "neither the locale nor the terminal has it: ASCII only",
                    remedy: "export LC_ALL=C.UTF-8"))
        return findings
    }

    private static func audio(_ facts: MachineFacts) -> [Finding] {
        let audio = facts.audio
        var findings: [Finding] = []
        let install = remedy(installing: "libasound2-plugins", facts)
        let lacksPlugin = audio.server != nil && audio.plugins.isEmpty
        if let format = audio.format {
            findings.append(Finding("audio", "audio device", .works, "ALSA's default opens: \(format)"))
        } else {
            let reason = audio.failure.map { ": \($0)" } ?? ""
            switch (audio.server, audio.hasCard) {
            case (.some(let server), _) where lacksPlugin:
                findings.append(
                    Finding(
                        "audio", "audio device", .wrong, "\(server) runs, and ALSA has no way to it\(reason)", remedy: install))
            case (.some(let server), _):
                findings.append(
                    Finding(
                        "audio", "audio device", .wrong, "ALSA's default does not open, though \(server) seems to run\(reason)"))
            case (nil, true) where !audio.mayUseCard:
                findings.append(
                    Finding(
                        "audio", "audio device", .wrong, "the sound card may not be opened\(reason)",
                        remedy: "sudo usermod -aG audio \"$USER\""))
            case (nil, true):
                findings.append(Finding("audio", "audio device", .wrong, "ALSA's default does not open\(reason)"))
            case (nil, false):
                findings.append(
                    Finding(
                        "audio", "audio device", .missing, "no sound card and no sound server: video plays without audio"))
            }
        }
        findings.append(
            audio.server.map { Finding("audio", "sound server", .works, needed: false, $0) }
                ?? Finding("audio", "sound server", .missing, needed: false, "none runs: one program at a time has the card"))
        findings.append(
            audio.plugins.isEmpty
                ? Finding(
                    "audio", "ALSA plugin", .missing, needed: lacksPlugin, "no way to PulseAudio or PipeWire", remedy: install)
                : Finding("audio", "ALSA plugin", .works, needed: false, audio.plugins.joined(separator: ", ")))
        return findings
    }

    private static func libraries(_ facts: MachineFacts) -> [Finding] {
        var findings = facts.libraries.map { Finding("libraries", $0.name, .works, $0.version) }
        findings.append(
            facts.hasFilters
                ? Finding("libraries", "libavfilter", .works, "loaded when it is needed")
                : Finding(
                    "libraries", "libavfilter", .missing, "no other speeds, no deinterlacing, no equaliser",
                    remedy: remedy(installing: "ffmpeg", facts)))
        findings.append(
            facts.missingDecoders.isEmpty
                ? Finding("libraries", "decoders", .works, "all common ones")
                : Finding(
                    "libraries", "decoders", .wrong,
                    "this build of FFmpeg has none for \(facts.missingDecoders.joined(separator: ", "))"))
        if !facts.speaksTLS {
            findings.append(Finding("libraries", "https", .wrong, "this libcurl was built without TLS"))
        }
        return findings
    }

    private static func fonts(_ facts: MachineFacts) -> [Finding] {
        [
            facts.findsFont
                ? Finding("fonts", "fonts", .works, "fontconfig finds one for subtitles in pixels")
                : Finding(
                    "fonts", "fonts", .missing, "none: styled subtitles in pixels stay empty",
                    remedy: remedy(installing: "fonts-dejavu-core", facts))
        ]
    }

    private static func programs(_ facts: MachineFacts) -> [Finding] {
        [
            program("yt-dlp", facts.ytdlp, without: "pages of web sites are not played", package: "yt-dlp", facts),
            program(
                "tesseract", facts.tesseract, without: "image subtitles are not turned into text", package: "tesseract-ocr", facts
            ),
            ours(
                "shares", facts.shareProgram, "aether-share is not installed: smb:// and nfs:// are not opened",
                library: "libsmbclient-dev", facts),
            ours(
                "drives", facts.discProgram, "aether-disc is not installed: audio CDs and Video CDs play from images alone",
                library: "libcdio-dev", facts),
        ]
    }

    /// A program of ours that is built where its library is found.
    private static func ours(_ name: String, _ path: String?, _ loss: String, library: String, _ facts: MachineFacts) -> Finding {
        guard let path else {
            let library = remedy(installing: library, facts)
            return Finding(
                "programs", name, .missing, needed: false, loss,
                remedy: facts.hasAPT ? library + " && make install" : library + ", and then make install")
        }
        return Finding("programs", name, .works, needed: false, path)
    }

    private static func program(
        _ name: String, _ program: MachineFacts.Program, without loss: String, package: String, _ facts: MachineFacts
    ) -> Finding {
        guard let path = program.path else {
            return Finding(
                "programs", name, .missing, needed: false, "\(loss) without it", remedy: remedy(installing: package, facts))
        }
        guard let version = program.version else {
            return Finding(
                "programs", name, .wrong, "\(path) does not run", remedy: remedy(installing: package, facts, again: true))
        }
        return Finding("programs", name, .works, needed: false, "\(version), \(path)")
    }

    private static func kernel(_ kernel: MachineFacts.Kernel) -> [Finding] {
        func finding(_ name: String, _ isThere: Bool, _ detail: String, _ loss: String) -> Finding {
            Finding("kernel", name, isThere ? .works : .missing, needed: false, isThere ? detail : loss)
        }
        return [
            finding(
                "Landlock", kernel.landlock > 0, "version \(kernel.landlock)",
                "files cannot be shut off: Linux before 5.13, or switched off at boot (lsm=)"),
            finding("seccomp", kernel.seccomp, "filters can end a process", "system calls cannot be shut off"),
            finding("no_new_privs", kernel.noNewPrivileges, "in use", "programs may gain rights: Linux before 3.5"),
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
        case .homeless: return wrong("HOME is not set: nothing is remembered", "export HOME=~")
        case .absent(true): return Finding("folders", folder.use, .works, "\(path), made when it is needed")
        case .absent(false): return wrong("\(path) cannot be made", "sudo install -d -m 700 -o \"$USER\" \(quoted)")
        case .occupied: return wrong("\(path) is not a folder", "mv \(quoted) \(ShellWord.quoted(path + ".old"))")
        case .there(_, false, false): return wrong("\(path) is another user's", "sudo chown -R \"$USER\" \(quoted)")
        case .there(let mode, true, false):
            return wrong("\(path) is closed to its owner (\(octal(mode)))", "chmod u+rwx \(quoted)")
        // The sticky bit does not help: the first to make a file is its owner.
        case .there(let mode, _, true) where mode & 0o022 != 0:
            return wrong("others may write into \(path) (\(octal(mode)))", "chmod go-w \(quoted)")
        case .there(let mode, _, true): return Finding("folders", folder.use, .works, "\(path), \(octal(mode))")
        }
    }

    // MARK: - Words

    private static func octal(_ mode: UInt32) -> String { "0" + String(mode & 0o7777, radix: 8) }

    private static func remedy(installing package: String, _ facts: MachineFacts, again: Bool = false) -> String {
        facts.hasAPT
            ? "sudo apt-get install \(again ? "--reinstall " : "")\(package)"
            : "install what Debian calls \(package), by your own package manager"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
