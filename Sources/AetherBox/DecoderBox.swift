public import AetherCore
public import AetherMedia
import Synchronization

/// The box of a player: each demuxer and each decoder is a process of its own, so that one that breaks takes nothing along and is known by
/// name. Any thread.
public final class DecoderBox: MediaBox {
    private let seed: WorkerSeed
    /// One that is being loaded before it is known whether it is wanted.
    private static let early = Mutex<DecoderBox?>(nil)

    /// Of the program at a path, whose workers may do nothing for as long as said.
    public init(path: String, patience: TimeSpan = .seconds(5)) { seed = WorkerSeed(path: path, patience: patience) }

    /// Of the program of this installation. Blocks on the file system. Throws `.unsupported` where it is missing.
    public convenience init() throws(MediaError) {
        guard let path = BoxProgram.find() else {
            throw MediaError(.unsupported, "decode in a box", subject: BoxProgram.name, reason: "the program is not installed")
        }
        self.init(path: path)
    }

    /// Begins to load the program that `install` will use, at the very start of ours: both load at the same time.
    public static func prepare() {
        guard let path = BoxProgram.find() else { return }
        let box = DecoderBox(path: path)
        do throws(BoxFault) {
            try box.seed.start()
        } catch {
            // `install` tries once more, and says it.
            return
        }
        early.withLock { $0 = box }
    }

    /// From now on every source of this process is taken apart in a box. Called once, before anything is opened. Throws `.unsupported` where the
    /// program is missing or does not start. It is loaded meanwhile.
    public static func install() throws(MediaError) {
        let prepared = early.withLock { $0.take() }
        let box = if let prepared { prepared } else { try DecoderBox() }
        do throws(BoxFault) {
            try box.seed.start()
        } catch {
            throw MediaError(.unsupported, "decode in a box", subject: BoxProgram.name, fault: error)
        }
        ProcessBox.install(box)
    }

    /// A worker that knows nothing yet.
    func worker() throws(BoxFault) -> BoxWorker { try seed.worker() }

    /// Opens a source in a process of its own.
    public func openSource(
        _ bytes: BoxedBytes, name: String, options: OpenOptions
    ) throws(MediaError) -> any BoxedDemuxing {
        try BoxedSource(bytes, name: name, options: options, box: self)
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
}

extension MediaError {
    /// The fault of a worker in words for people.
    init(_ code: Code, _ operation: String, subject: String = "", fault: BoxFault) {
        self.init(code, operation, subject: subject, reason: fault.words)
    }
}
