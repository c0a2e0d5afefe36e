import AetherBox
import AetherCore
import AetherEngine
import AetherOptions
import AetherSources
import ArgumentParser
import Glibc

/// Plays a source through the whole pipeline without a face.
struct Play: MediaCommand {
    enum Sink: String, ExpressibleByArgument, CaseIterable { case null, hash }
    enum Audio: String, ExpressibleByArgument, CaseIterable { case alsa, null, none }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Play through the whole pipeline without a screen."),
            discussion: translated(
                """
                With --sink hash, one line a frame: its time in seconds and a hash of its pixels. Without --untimed the video takes its time, \
                and a line a second on standard error tells the state. What a person should know is told there in any case. Exit status: 0 played, 1 failed midway, 2 cannot open.
                """))
    }

    @Option(help: .translated("The sink of frames: null or hash.", value: "sink"))
    var sink = Sink.null

    @Option(help: .translated("The destination of audio: alsa, null (real time without a device) or none.", value: "output"))
    var audio = Audio.null

    @Option(help: .translated("The ALSA device with --audio alsa.", value: "name"))
    var audioDevice = "default"

    @Flag(help: .translated("Show every frame at once and drop none; audio is not decoded."))
    var untimed = false

    @Option(help: .translated("Raster to fit the frames into, as 160x90; default: the stream's own size.", form: "WxH"))
    var size: Extent?

    @Flag(help: .translated("Refuse media that cannot be taken apart in the box, and start its program apart from the player."))
    var sandbox = false

    @Option(
        help: .translated(
            "Let VA-API decode video where a trial finds that cheaper than software; needs --no-sandbox.", form: "no|vaapi"))
    var hwdec = HardwareDecoding.off

    @OptionGroup var choice: VariantArguments

    @Flag(
        help: .translated("Adapt the quality of HLS and DASH to window, machine and link; by default it stays as it was chosen."))
    var adapt = false

    @Option(
        help: .translated("Read HLS and DASH by the player's own sources, or by libavformat's, to compare.", form: "own|lavf"))
    var demuxer = StreamDemuxer.own

    @Option(help: .translated("Play up to this time: seconds, 1:30, 1:02:03.5 or 50%.", value: "time"))
    var until: TimePoint?

    @OptionGroup var disc: DiscArguments
    @OptionGroup var keys: KeyArguments
    @OptionGroup var argument: SourceArgument

    func validate() throws {
        if let size, !size.isWithin(width: 4096, height: 4096) {
            throw ValidationError(translated("--size takes WIDTHxHEIGHT between 1x1 and 4096x4096, for example 160x90"))
        }
    }

    mutating func run() throws {
        if sandbox {
            do throws(MediaError) {
                try DecoderBox.install()
            } catch {
                throw fail(error, ExitStatus.cannotOpen)
            }
        }
        let wake = WakeHandle()
        let box = size.map { PixelSize(width: $0.width, height: $0.height) }
        let surface: any VideoSink =
            switch sink {
            case .null: NullVideoSink(box: box)
            case .hash: HashVideoSink(box: box) { pts, hash in printFrame(pts, hash) }
            }
        let engine = AetherEngine(sink: surface) { wake.wake() }
        var options = LoadOptions()
        (options.title, options.angle) = (disc.title, disc.angle)
        options.isUntimed = untimed
        options.streamDemuxer = demuxer
        options.hardwareDecoding = hwdec
        (options.variantQualifiers, options.requiresVariant) = (try choice.qualifiers(), choice.require)
        options.adaptation.isOn = adapt
        // The engine says itself where certificates are not checked.
        (options.http, options.open) = (HTTPOptions(argument.network), argument.network.opening())
        options.keys = try keys.keys()
        options.end = until.map { StartPosition($0) }
        // A hash is of what the decoder gives.
        if sink == .hash { options.deinterlaceMode = .off }
        options.audioOutput =
            switch untimed ? .none : audio {
            case .alsa: .alsa(device: audioDevice)
            case .null: .null
            case .none: .none
            }
        engine.begin(.location(MediaLocation.parse(argument.source).inPackage), options: options)
        do throws(MediaError) {
            _ = try engine.waitUntilOpened()
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        let failure = follow(engine, wake)
        let news = engine.takeNews()
        engine.shutDown()
        if let (error, status) = Self.outcome(news, failure) { throw fail(error, status) }
    }

    /// Why not all was played. Nothing is where it is encrypted, or there is nothing that can be decoded.
    private static func outcome(_ news: [PlaybackNews], _ failure: MediaError?) -> (MediaError, ExitCode)? {
        for item in news.reversed() {
            switch item.turn {
            case .ended(let error?): return (error, ExitStatus.playbackFailed)
            case .failed(let error, let midway): return (error, midway ? ExitStatus.playbackFailed : ExitStatus.cannotOpen)
            default: break
            }
        }
        return failure.map { ($0, ExitStatus.playbackFailed) }
    }

    /// Waits for the end, saying the state once a second; returns what broke.
    private func follow(_ engine: AetherEngine, _ wake: WakeHandle) -> MediaError? {
        let clock = SystemTime()
        let start = clock.now()
        var next = start + .seconds(1), told = 0
        while true {
            let snapshot = engine.snapshot()
            tell(snapshot.notices, &told)
            switch snapshot.phase {
            case .ended:
                tellDecoding(snapshot)
                report(snapshot, elapsed: clock.now() - start)
                return nil
            case .error(let error): return error
            default: break
            }
            if clock.now() >= next {
                next = next + .seconds(1)
                report(snapshot, elapsed: clock.now() - start)
            }
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            _ = Glibc.poll(&poll, 1, Int32(max(1, min(1000, (next - clock.now()).milliseconds))))
            wake.drain()
        }
    }

    /// The sentences that are new.
    private func tell(_ notices: [EngineSnapshot.Notice], _ told: inout Int) {
        for notice in notices where notice.number > told {
            told = notice.number
            printError("aetherctl: \(notice.text)")
        }
    }

    /// Who decoded, where that was a choice.
    private func tellDecoding(_ snapshot: EngineSnapshot) {
        if let reason = snapshot.telemetry?.videoDecoderReason { printError("aetherctl: \(reason)") }
    }

    private static func word(_ phase: PlaybackPhase) -> String {
        switch phase {
        case .idle: "idle"
        case .loading: "loading"
        case .playing: "playing"
        case .paused: "paused"
        case .seeking: "seeking"
        case .rebuffering: "buffering"
        case .stalled(let attempt): "reconnecting \(attempt.number)/\(attempt.limit)"
        case .ended: "ended"
        case .error: "failed"
        }
    }

    private func report(_ snapshot: EngineSnapshot, elapsed: TimeSpan) {
        guard !untimed || snapshot.phase == .ended else { return }
        let t = snapshot.telemetry
        func text(_ value: Double?) -> String {
            value.map { String(Double(Int(($0 * 1000).rounded())) / 1000) } ?? "-"
        }
        let fields = [
            "wall \(fixed(elapsed.nanoseconds))", "pos \(fixed(snapshot.position.nanoseconds))", Self.word(snapshot.phase),
            "fps \(text(t?.observedFps))", "shown \(t?.framesShown ?? 0)", "dropped \(t?.droppedFrameCount ?? 0)",
            "av \(text(t?.avSyncGapMs)) ms", "delay \(text(t?.alsaDelayMs)) ms", "buffer \(text(t?.alsaBufferMs)) ms",
            "xruns \(t?.alsaXruns ?? 0)",
            "ppm \(text(t?.clockRatePPM))", "decode p50 \(text(t?.decodeMs?.p50)) ms", "scale p50 \(text(t?.scaleMs?.p50)) ms",
            "cpu \(text(t?.cpuLoad))", "rss \(t?.rssMb ?? 0) MiB",
        ]
        printError(fields.joined(separator: "  "))
    }
}

/// One line of `--sink hash`.
private func printFrame(_ pts: MediaTime, _ hash: UInt64) {
    let digits = String(hash, radix: 16)
    print("\(fixed(pts.nanoseconds)) \(String(repeating: "0", count: 16 - digits.count))\(digits)")
    // Who reads them along sees each when it is shown.
    StandardOutput.flush()
}
