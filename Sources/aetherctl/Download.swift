import AetherCore
import AetherEngine
import AetherOptions
import AetherSources
import AetherTerminal
import ArgumentParser
import FoundationEssentials
import Glibc

/// Keeps a source in a folder that any player plays.
struct Download: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Download HLS, DASH or one file into a folder that any player plays without a network."),
            discussion: translated(
                """
                The same command, given again, fetches no finished segment a second time. Ctrl-C stops; it ends the recording of a broadcast. On a \
                terminal one line shows the progress, otherwise standard output has a line of JSON for each event. Exit status: 0 everything was \
                downloaded, 1 stopped or broke off, 2 cannot open, nothing fits --primary, or the file of --mux cannot be made.
                """))
    }

    @Option(
        help: .translated(
            "The quality: best (the default), worst, its place in the list, or an expression such as 'lines <= 720p'; of several expressions the first that any quality fits counts.",
            value: "expression"))
    var primary: [String] = []

    @Option(help: .translated("Languages of audio, as en,fr, or all; by default the default track.", value: "languages"))
    var audio: String?

    @Option(help: .translated("Languages of subtitles, as en,fr, or all; by default none.", value: "languages"))
    var text: String?

    @Option(
        help: .translated("A further quality, such as 'alac IN formatIDs'; may be given several times.", value: "expression"))
    var aux: [String] = []

    @Option(help: .translated("Languages of audio for --aux, in the same order.", value: "languages"))
    var auxAudio: [String] = []

    @Option(help: .translated("Languages of subtitles for --aux, in the same order.", value: "languages"))
    var auxText: [String] = []

    @Flag(
        help: .translated(
            "For --aux take the quality that needs the fewest renditions beside those of --primary, not the best one."))
    var optimizeAux = false

    @Option(
        name: [.customShort("o"), .long],
        help: .translated("The folder; default: the title's name with .aepkg, in the working folder.", value: "folder"),
        completion: .directory)
    var output: String?

    @Option(
        help: .translated(
            "Then copy all streams into one file, .mkv or .mp4, without encoding; without -o the folder is removed afterwards.",
            value: "file"), completion: .file(extensions: ["mkv", "mp4"]))
    var mux: String?

    @Option(help: .translated("The title, in place of what the source says.", value: "text"))
    var title: String?

    @Option(help: .translated("Bytes a second at most: 500K, 2M.", value: "bytes"))
    var limitRate: ByteCount?

    @Flag(help: .translated("Leave encrypted segments as they are, and save their keys beside them, readable for you alone."))
    var withKeys = false

    @Flag(help: .translated("Only print what would be fetched."))
    var dryRun = false

    @OptionGroup var keys: KeyArguments

    @Argument(help: .translated("A file or a URL."), completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    func validate() throws {
        _ = try wishes()
        if let mux, ![".mkv", ".mp4"].contains(where: { mux.lowercased().hasSuffix($0) && mux.utf8.count > $0.utf8.count }) {
            throw ValidationError(translated("--mux takes a file whose name ends in .mkv or .mp4."))
        }
        if let limitRate, limitRate.bytes < 1 {
            throw ValidationError(translated("--limit-rate takes at least 1 byte a second, such as 500K."))
        }
        if auxAudio.count > aux.count || auxText.count > aux.count {
            throw ValidationError(translated("--aux-audio and --aux-text belong to an --aux each."))
        }
    }

    private func qualifier(_ text: String, _ option: String) throws -> MediaVariantQualifier {
        do throws(PredicateFault) {
            return try MediaVariantQualifier(text)
        } catch {
            throw ValidationError("--\(option): \(error)")
        }
    }

    private func wishes() throws -> AssetDownloadConfiguration {
        var configuration = AssetDownloadConfiguration(asset: MediaLocation.parse(source), title: title)
        configuration.primaryContentConfiguration = .init(
            variantQualifiers: try primary.map { try qualifier($0, "primary") }, mediaSelections: Self.tracks(audio, text))
        for (place, words) in aux.enumerated() {
            let tracks = Self.tracks(
                auxAudio.indices.contains(place) ? auxAudio[place] : nil, auxText.indices.contains(place) ? auxText[place] : nil)
            configuration.auxiliaryContentConfigurations.append(
                .init(variantQualifiers: [try qualifier(words, "aux")], mediaSelections: tracks))
        }
        configuration.optimizesAuxiliaryContentConfigurations = optimizeAux
        return configuration
    }

    private static func tracks(_ audio: String?, _ text: String?) -> [AssetMediaSelection] {
        (audio.map { AssetMediaSelection.list(.audio, $0) } ?? []) + (text.map { AssetMediaSelection.list(.text, $0) } ?? [])
    }

    mutating func run() throws {
        var options = AssetDownloadOptions()
        (options.folder, options.keepsKeys, options.rateLimit) = (output, withKeys, limitRate?.bytes)
        (options.keys, options.http) = (try keys.keys(), network.http(for: source))
        (options.isDryRun, options.muxedFile) = (dryRun, mux)
        let log = DownloadLog(), stop = StopSignal()
        let task = AssetDownloadTask(try wishes(), options: options) { log.take($0) }
        task.resume()
        let state = follow(task, log, stop)
        log.write(isLast: true)
        switch state {
        case .completed:
            let progress = task.progress
            log.end(.finished, task, dryRun: dryRun)
            if progress.missingSegments > 0 { throw ExitStatus.playbackFailed }
        case .failed(let error):
            log.end(.failed, task, dryRun: dryRun)
            throw fail(error, error.code == .readFailed ? ExitStatus.playbackFailed : ExitStatus.cannotOpen)
        case .suspended, .running:
            log.end(.stopped, task, dryRun: dryRun)
            throw ExitStatus.playbackFailed
        }
    }

    /// Waits for the end. The first signal stops, the second is the system's.
    private func follow(_ task: AssetDownloadTask, _ log: DownloadLog, _ stop: StopSignal) -> AssetDownloadTask.State {
        var polls = [log.wake.descriptor, stop.wake.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            _ = poll(&polls, 2, -1)
            if polls[1].revents != 0 {
                stop.wake.drain()
                task.finish()
            }
            log.wake.drain()
            log.write(isLast: false)
            let state = task.state
            if state != .running { return task.wait() }
        }
    }
}
