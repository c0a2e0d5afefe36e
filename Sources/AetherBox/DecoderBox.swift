public import AetherCore
public import AetherMedia
import Glibc
import Synchronization

/// The box of a player: each demuxer and each decoder is a process of its own, so that one that breaks takes nothing along and is known by
/// name. Any thread.
public final class DecoderBox: MediaBox, SubtitleBox, ScalingBox, FilteringBox {
    private let seed: WorkerSeed
    /// The memory of its workers' frames.
    let pools = FramePools()
    /// Whether a source that cannot be opened in it is refused.
    public let isStrict: Bool
    /// Whether workers work on this machine; nil: none has been asked yet. The one that was asked first is the next to be used.
    private let soundness = Mutex<Bool?>(nil)
    private let spare = Mutex<BoxWorker?>(nil)
    /// The one that looked at a text before.
    private let textReader = Mutex<BoxWorker?>(nil)
    /// Those that had filters for video and for audio before, and the one that scaled: of the present source.
    private let videoFilters = Mutex<BoxWorker?>(nil)
    private let audioFilters = Mutex<BoxWorker?>(nil)
    private let scaling = Mutex<BoxWorker?>(nil)
    /// Bytes of memory in common, above which a worker is not kept: a still of 8K has 0.3 GB.
    static let mostKept = 32 << 20
    /// A copy of our process, before it is known whether it is wanted.
    private static let early = Mutex<SeedProgram?>(nil)

    /// Of the program at a path, whose workers may do nothing for as long as said.
    public init(path: String, patience: TimeSpan = .seconds(5)) {
        seed = WorkerSeed(path: path, patience: patience)
        isStrict = true
    }

    /// Of copies of our own process as it was at its start.
    private init(copies: SeedProgram) {
        seed = WorkerSeed(path: BoxProgram.find(), patience: .seconds(5), running: copies)
        isStrict = false
    }

    /// Of the program of this installation. Blocks on the file system. Throws `.unsupported` where it is missing.
    public convenience init() throws(MediaError) {
        guard let path = BoxProgram.find() else {
            throw MediaError(.unsupported, "decode in a box", subject: BoxProgram.name, reason: "the program is not installed")
        }
        self.init(path: path)
    }

    /// Copies our process for `installCopies`, at its very start: before there are threads, and before anything is known that a worker must not know.
    /// Not where the words of the command line want something else.
    public static func prepareCopies() {
        let words = CommandLine.unsafeArgv, count = CommandLine.argc
        let others = ["--help", "-h", "--version", "--print-config", "--sandbox", "--no-sandbox"]
        for index in 1..<max(1, Int(count)) {
            guard let word = words[index] else { break }
            if others.contains(where: { strcmp($0, word) == 0 }) || strncmp(word, "--generate", 10) == 0 { return }
            if strcmp(word, "--") == 0 { break }
        }
        do throws(BoxFault) {
            let copies = try SeedProgram(copying: words, count: count)
            early.withLock { $0 = copies }
        } catch {
            // `installCopies` says it.
            return
        }
    }

    /// Lets the copy go: no box is wanted.
    public static func forgetCopies() { early.withLock { $0 = nil } }

    /// From now on every source of this process that can be is taken apart in a box of copies. Called once, before anything is opened. Returns
    /// false where there is no such copy, and nothing is boxed.
    public static func installCopies() -> Bool {
        guard let copies = early.withLock({ $0.take() }) else { return false }
        let box = DecoderBox(copies: copies)
        box.seed.orderFirst()
        ProcessBox.install(box)
        return true
    }

    /// From now on every source of this process is taken apart in a box, by the program of this installation, or refused. Called once, before
    /// anything is opened. Throws `.unsupported` where the program is missing or does not start. It is loaded meanwhile.
    public static func install() throws(MediaError) {
        forgetCopies()
        let box = try DecoderBox()
        do throws(BoxFault) {
            try box.seed.start()
        } catch {
            throw MediaError(.unsupported, "decode in a box", subject: BoxProgram.name, fault: error)
        }
        ProcessBox.install(box)
    }

    /// A worker of a kind, which knows nothing yet.
    func worker(_ kind: WorkerKind = .plain) throws(BoxFault) -> BoxWorker {
        let kept: BoxWorker? = kind == .plain ? spare.withLock { $0.take() } : nil
        switch consume kept {
        case .some(let kept): return kept
        case nil: return try seed.worker(kind)
        }
    }

    /// A worker for a scaler, which may have scaled for another.
    func scaler() throws(BoxFault) -> BoxWorker {
        let kept = scaling.withLock { $0.take() }
        switch consume kept {
        case .some(let kept): return kept
        case nil: return try worker()
        }
    }

    /// Keeps a worker that has scaled for the next scaler: many images have one each. The one that was kept before ends.
    func keep(scaler worker: consuming BoxWorker) {
        var kept: BoxWorker? = consume worker
        scaling.withLock { swap(&$0, &kept) }
    }

    /// A worker that had filters before; nil where none is kept.
    func keptWorker(filtersOf medium: FilterGraph.Medium) -> BoxWorker? {
        switch medium {
        case .video: videoFilters.withLock { $0.take() }
        case .audio: audioFilters.withLock { $0.take() }
        }
    }

    /// Keeps a worker that has loaded libavfilter for the next filters. The one that was kept before ends.
    func keep(_ worker: consuming BoxWorker, filtersOf medium: FilterGraph.Medium) {
        var kept: BoxWorker? = consume worker
        switch medium {
        case .video: videoFilters.withLock { swap(&$0, &kept) }
        case .audio: audioFilters.withLock { swap(&$0, &kept) }
        }
    }

    /// Ends those that are kept: what one source has made of them is not to meet another.
    private func forgetKept() {
        for medium in [FilterGraph.Medium.video, .audio] {
            if let kept = keptWorker(filtersOf: medium) { kept.abandon() }
        }
        if let kept = scaling.withLock({ $0.take() }) { kept.abandon() }
    }

    /// Whether a worker starts here and shuts itself in: a container may refuse what the kernel has. Blocks until the first one has answered.
    public func isSound() -> Bool {
        if let known = soundness.withLock({ $0 }) { return known }
        var isSound = true
        do throws(BoxFault) {
            var first = try seed.worker(.plain)
            _ = try first.parts()
            var kept: BoxWorker? = consume first
            spare.withLock { swap(&$0, &kept) }
        } catch {
            Log.module("demux").warning("no worker of the box starts: \(error.words)")
            isSound = false
            ProcessBox.remove()
        }
        soundness.withLock { $0 = isSound }
        return isSound
    }

    /// The CPU time of all workers so far.
    public var cpuSeconds: Double { seed.times.seconds }

    /// Ends the copies that were made ahead and that nobody has taken.
    public func endSpares() { seed.endSpares() }

    /// Opens a source in a process of its own.
    public func openSource(
        _ bytes: BoxedBytes, name: String, options: OpenOptions
    ) throws(MediaError) -> any BoxedDemuxing {
        forgetKept()
        return try BoxedSource(bytes, name: name, options: options, box: self)
    }

    /// Opens a decoder of video in a process of its own.
    public func openVideo(
        _ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort
    ) throws(MediaError) -> any BoxedDecoding {
        try BoxedDecoder(box: self, parameters: parameters, threadCount: threadCount, effort: effort)
    }

    /// Opens a decoder of audio in a process of its own.
    public func openAudio(_ parameters: CodecParameters) throws(MediaError) -> any BoxedDecoding {
        try BoxedDecoder(box: self, parameters: parameters, threadCount: nil, effort: DecodeEffort())
    }

    /// A process for decoders of subtitles, which is started when the first is opened.
    public func openSubtitles() -> any BoxedSubtitles { BoxedSubtitleDecoders(box: self) }

    /// Opens a renderer of a script in a process of its own, which may read the fonts of the system.
    public func openScript(header: String, fonts: [FontAttachment]) throws(MediaError) -> any BoxedScript {
        try BoxedScriptRenderer(box: self, header: header, fonts: fonts)
    }

    /// A process for a scaler, which is started with the first frame.
    public func openScaler() -> (any BoxedScaling)? { isStrict || isSound() ? BoxedScaler(box: self) : nil }

    /// Opens filters in a process that has loaded libavfilter, and is kept for the next ones.
    public func openFilters(_ order: FilterOrder) throws(MediaError) -> (any BoxedFiltering)? {
        isStrict || isSound() ? try BoxedFilters(box: self, order: order) : nil
    }

    /// Guesses at a text in a process that is kept for the next one.
    public func characterSet(of text: [UInt8]) -> String? {
        guard isSound() else { return isStrict ? nil : CharacterSetGuess.here(text) }
        do throws(BoxFault) {
            var reader: BoxWorker
            switch textReader.withLock({ $0.take() }) {
            case .some(let kept): reader = kept
            case nil: reader = try worker()
            }
            let answer = try reader.answer(to: BoxMessage(.guessCharacterSet, text))
            var kept: BoxWorker? = consume reader
            textReader.withLock { swap(&$0, &kept) }
            return answer.kind == .value ? String(decoding: answer.bytes.prefix(100), as: UTF8.self) : nil
        } catch {
            Log.module("subtitles").warning("the character set of a text is not known: \(error.words)")
            return nil
        }
    }
}

extension MediaError {
    /// The fault of a worker in words for people.
    init(_ code: Code, _ operation: String, subject: String = "", fault: BoxFault) {
        self.init(code, operation, subject: subject, reason: fault.words)
    }
}
