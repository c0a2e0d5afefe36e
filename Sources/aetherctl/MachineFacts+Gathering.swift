import AetherBox
import AetherCore
import AetherDesktop
import AetherLibrary
import AetherMedia
import AetherRender
import AetherSources
import AetherTerminal
import Glibc

extension MachineFacts {
    /// Helpers that have not stated their version by then do not run.
    private static let patience = TimeSpan.seconds(5)

    /// Looks at this machine. Blocks for at most 0.3 s for the terminal, 2 s for audio and 5 s for each helper, for milliseconds where
    /// all is well.
    static func gathered(_ environment: [String: String]) -> MachineFacts {
        let path = environment["PATH"] ?? ""
        return MachineFacts(
            terminal: terminal(environment), audio: audio(environment),
            libraries: MediaLibraries.versions + [WebLibrary.version] + TerminalLibraries.versions + [DatabaseLibrary.version],
            hasFilters: MediaLibraries.hasFilters, missingDecoders: MediaLibraries.missingDecoders,
            hardware: hardware,
            speaksTLS: WebLibrary.speaksTLS, findsFont: MediaLibraries.findsFont, ytdlp: program("yt-dlp", in: path),
            tesseract: program("tesseract", in: path), shareProgram: ShareReader.program, discProgram: DriveProgram.find(),
            kernel: KernelFeatures.present, box: box(), folders: folders(environment),
            hasAPT: ChildProgram.find("apt-get", in: path) != nil)
    }

    private static var hardware: Hardware {
        do throws(MediaError) {
            _ = try HardwareDevice()
            return .opens
        } catch {
            return .none("\(error)")
        }
    }

    private static func terminal(_ environment: [String: String]) -> Terminal {
        do throws(TerminalError) {
            let report = try Term.ask()
            let (capabilities, choice) = (report.capabilities, report.choice)
            return .there(
                TerminalFacts(
                    name: [capabilities.identity.name, capabilities.identity.version].filter { !$0.isEmpty }.joined(
                        separator: " "),
                    term: environment["TERM"] ?? "", columns: report.size.cells.columns, rows: report.size.cells.rows,
                    answered: capabilities.answered, waited: report.waited, renderer: choice?.renderer.rawValue,
                    colours: choice?.depth.rawValue, utf8: capabilities.utf8))
        } catch {
            return .none("\(error)")
        }
    }

    // MARK: - Audio

    private static func audio(_ environment: [String: String]) -> Audio {
        var audio = Audio(
            server: server(environment), plugins: AudioPlugins.servers(environment),
            hasCard: access("/proc/asound/card0", F_OK) == 0)
        let devices = FolderContents.names("/dev/snd").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
        audio.mayUseCard = devices.isEmpty || devices.contains { access("/dev/snd/" + $0, W_OK) == 0 }
        // A device of its own thread: a server that stands still holds nothing up.
        let device = ThreadedDevice(name: "default") { ALSADevice(name: "default") }
        do throws(MediaError) {
            let format = try device.configure(AudioFormat(sampleRate: 48000, channelCount: 2))
            audio.format = translated("\(format.sampleRate) Hz, \(format.channelCount) channels, \(format.sample.rawValue)")
        } catch {
            audio.failure = "\(error)"
        }
        device.close()
        return audio
    }

    /// The sound server, by the sockets where its clients look for it.
    private static func server(_ environment: [String: String]) -> String? {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(getuid())"
        if access(PathText.cString(runtime + "/pipewire-0"), F_OK) == 0 { return "PipeWire" }
        if let named = environment["PULSE_SERVER"], !named.isEmpty { return translated("PulseAudio, by PULSE_SERVER") }
        return access(PathText.cString(runtime + "/pulse/native"), F_OK) == 0 ? "PulseAudio" : nil
    }

    // MARK: - Programs

    private static func program(_ name: String, in folders: String) -> Program {
        guard let path = ChildProgram.find(name, in: folders) else { return Program() }
        let call = ChildProgram.Call(path: path, arguments: ["--version"], outputLimit: 4096, keepsComplaints: true)
        guard let outcome = ChildProgram(call)?.outcome(until: SystemTime().now() + patience), outcome.end == .exited(0) else {
            return Program(path: path)
        }
        // tesseract before 5 said it on standard error.
        let said = outcome.output.isEmpty ? outcome.complaints : outcome.output
        let line = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let version = DisplayText.singleLine(line, limit: 80)
        return Program(path: path, version: version.isEmpty ? translated("version unknown") : version)
    }

    /// Starts the program in the box and asks it.
    private static func box() -> Box {
        do throws(BoxFault) {
            guard let path = BoxProgram.find() else { throw .missing }
            var worker = try BoxWorker(path: path, patience: patience)
            return .holds(try worker.parts().names)
        } catch {
            return .fails(translated(Phrase(stringLiteral: error.words)))
        }
    }

    // MARK: - Folders

    private static func folders(_ environment: [String: String]) -> [Folder] {
        [
            ("state", "XDG_STATE_HOME", ".local/state"), ("cache", "XDG_CACHE_HOME", ".cache"),
            ("settings", "XDG_CONFIG_HOME", ".config"),
        ]
        .map { use, variable, usual in
            var base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            if base == nil, let home = environment["HOME"], home.hasPrefix("/") { base = home + "/" + usual }
            guard let base else { return Folder(use: use, path: "", place: .homeless) }
            return Folder(use: use, path: base + "/aether-tui", place: place(base + "/aether-tui"))
        }
    }

    /// The state of a path. Nothing is made there to find out.
    private static func place(_ path: String) -> Folder.Place {
        var status = stat()
        guard stat(PathText.cString(path), &status) == 0 else {
            guard errno == ENOENT else {
                return errno == ENOTDIR ? .absent(canBeMade: false) : .there(mode: 0, isOwn: false, isWritable: false)
            }
            // The nearest folder that is there must let one be made.
            var parent = path
            while let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
                parent = String(parent[..<slash])
                guard stat(PathText.cString(parent), &status) != 0 else { break }
            }
            let isFolder = stat(PathText.cString(parent), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            return .absent(canBeMade: isFolder && access(PathText.cString(parent), W_OK | X_OK) == 0)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .occupied }
        return .there(
            mode: status.st_mode & 0o7777, isOwn: status.st_uid == geteuid(),
            isWritable: access(PathText.cString(path), R_OK | W_OK | X_OK) == 0)
    }
}
