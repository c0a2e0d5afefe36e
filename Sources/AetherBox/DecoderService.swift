import AetherCore
import AetherMedia
import CBox
import Glibc

/// The work of the program in the box: shuts itself in, then answers wishes, one after the other, until the socket ends. With the argument "seed"
/// it makes copies of itself, of which each does that.
public struct DecoderService: ~Copyable {
    /// The address space of a worker: frames of 8K with ten bits, of which a decoder holds two dozen, and its threads' stacks.
    public static let memory: UInt64 = 6 << 30

    private let parts: UInt32
    private let line = BoxLine(socket: 0, closes: false)
    private var tray: SharedTray?
    /// One of them, once a wish has opened it.
    private var source: SourceService?
    private var frames: FrameService?
    private var subtitles: SubtitleService?
    private var script: ScriptService?
    private var scaler: ScaleService?
    private var filters: FilterService?

    private init(parts: UInt32) { self.parts = parts }

    /// Runs to the end. `memory` bounds the address space. For the tests' own program: `trial` answers its wishes, and `before` is called with each
    /// other wish. Returns the exit status.
    public static func run(
        memory: UInt64 = memory, trial: (([UInt8]) -> [UInt8])? = nil, before: ((BoxMessage) -> Void)? = nil
    ) -> Int32 {
        let words = CommandLine.arguments.dropFirst(), home = words.dropFirst().first ?? ""
        // What a library prints must not come between messages.
        dup2(2, 1)
        if words.first == WorkerSeed.word { return runCopies(home: home, memory: memory, trial: trial, before: before) }
        box_keep_memory()
        return serve(WorkerKind.allCases.first { $0.word == words.first } ?? .plain, home, memory, trial, before)
    }

    /// Makes copies of this process, whose standard input asks for them, and returns in each of them with the exit status. `home`: where a person's
    /// fonts may lie. Call it before there are threads.
    static func runCopies(
        home: String, memory: UInt64 = memory, trial: (([UInt8]) -> [UInt8])? = nil, before: ((BoxMessage) -> Void)? = nil
    ) -> Int32 {
        box_keep_memory()
        var process: Int32 = -1
        let kind = box_make_workers(0, &process) { FirstUse.rehearse() }
        guard announce(process) else { return 2 }
        return serve(WorkerKind(rawValue: UInt8(truncatingIfNeeded: kind)) ?? .plain, home, memory, trial, before)
    }

    /// Shuts itself in and answers wishes. Returns the exit status.
    private static func serve(
        _ kind: WorkerKind, _ home: String, _ memory: UInt64, _ trial: (([UInt8]) -> [UInt8])?, _ before: ((BoxMessage) -> Void)?
    ) -> Int32 {
        // Afterwards there is no file to load it from; who has none hears of it with the first wish.
        if kind == .filters { _ = MediaLibraries.hasFilters }
        let parts = kind == .fonts ? close(memory, fontsOf: home) : box_close(memory, nil)
        guard parts >= 0 else { return 3 }
        var service = DecoderService(parts: UInt32(parts))
        do throws(BoxFault) {
            while true { try service.answerNext(trial, before) }
        } catch {
            return error == .ended ? 0 : 2
        }
    }

    /// Shuts itself in as one that reads the fonts of a home, for which fontconfig wants a variable.
    private static func close(_ memory: UInt64, fontsOf home: String) -> Int32 {
        if !home.isEmpty { setenv("HOME", home, 1) }
        return box_close(memory, home)
    }

    /// Tells the player of a copy, which holds the descriptor of its process until it is closed in.
    private static func announce(_ process: Int32) -> Bool {
        do throws(BoxFault) {
            try BoxLine(socket: 0, closes: false).send(BoxMessage(.born), descriptor: process)
            return true
        } catch {
            return false
        }
    }

    private mutating func answerNext(
        _ trial: (([UInt8]) -> [UInt8])?, _ before: ((BoxMessage) -> Void)?
    ) throws(BoxFault) {
        var descriptor: Int32 = -1
        let wish = try line.receive(descriptor: &descriptor)
        if wish.kind == .state { return try line.send(BoxMessage(.value, withUnsafeBytes(of: parts.littleEndian) { Array($0) })) }
        if wish.kind == .trial {
            guard let trial else { throw .nonsense }
            return try line.send(BoxMessage(.value, trial(wish.bytes)))
        }
        before?(wish)
        let answer: BoxMessage
        do throws(MediaError) {
            answer = try self.answer(wish, descriptor)
        } catch {
            answer = BoxMessage(.failure, ErrorRecord.bytes(of: error))
        }
        try line.send(answer)
    }

    private mutating func answer(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) -> BoxMessage {
        switch wish.kind {
        case .takeTray:
            defer { if descriptor >= 0 { Glibc.close(descriptor) } }
            guard let taken = SharedTray(descriptor, side: .worker) else { throw MediaError(.internalFailure, "open") }
            tray = taken
            return BoxMessage(.value)
        case .openSource:
            guard let tray else { throw MediaError(.internalFailure, "open") }
            let opened = try SourceService(wish.bytes, tray)
            let description = opened.description
            source = consume opened
            return BoxMessage(.value, description)
        case .openVideo, .openAudio:
            let opened = try FrameService(wish, descriptor)
            var answer = RecordWriter()
            answer.put(opened.name)
            frames = consume opened
            return BoxMessage(.value, answer.bytes)
        case .openFilters:
            filters = nil
            let opened = try FilterService(wish.bytes)
            let answer = opened.answer
            filters = consume opened
            return answer
        case .openSubtitles, .decodeSubtitles, .flushSubtitles, .closeSubtitles:
            if subtitles == nil { subtitles = SubtitleService() }
        case .openScript:
            script = try ScriptService(wish.bytes)
            return BoxMessage(.value)
        case .scaleFrame:
            if scaler == nil { scaler = ScaleService() }
        case .guessCharacterSet: return BoxMessage(.value, Array((CharacterSetGuess.here(wish.bytes) ?? "").utf8))
        default: break
        }
        if let answer = try source?.answer(wish) { return answer }
        if let answer = try scaler?.answer(wish, descriptor) { return answer }
        if let answer = try filters?.answer(wish, descriptor) { return answer }
        if let answer = try frames?.answer(wish, descriptor, tray) { return answer }
        if let answer = try subtitles?.answer(wish) { return answer }
        if let answer = try script?.draw(wish) { return answer }
        // Nobody has taken it.
        if descriptor >= 0 { Glibc.close(descriptor) }
        throw MediaError(.internalFailure, "decode")
    }
}
