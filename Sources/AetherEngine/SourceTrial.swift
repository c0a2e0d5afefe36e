public import AetherCore
import AetherMedia
public import AetherSources

/// Tests whether a source can be opened, beside the playing one: a source that cannot be opened need not take its place. On a thread of its
/// own.
public final class SourceTrial: Sendable {
    /// The outcome of a trial.
    public enum Outcome: Sendable, Equatable {
        case opens
        case fails(MediaError)
    }

    private let state = Monitor<Outcome?>(nil)
    private let interrupt = Interrupt()

    /// Starts the trial; `done` is called on another thread once there is an outcome. A source that can be read only once is not opened:
    /// its opening is taken on trust.
    public init(_ location: MediaLocation, http: HTTPOptions = HTTPOptions(), done: @escaping @Sendable () -> Void) {
        let state = state, interrupt = interrupt
        _ = WorkerThread(name: "trial") {
            let error = location.traits.isRepeatable ? SourceTrial.refusal(of: location, http, interrupt) : nil
            state.update { $0 = $0 ?? error.map { Outcome.fails($0) } ?? Outcome.opens }
            done()
        }
    }

    deinit { interrupt.raise() }

    /// The reason why a source cannot be opened, or has nothing that can be decoded; nil where it can. Blocks on the source; not for a task.
    public static func refusal(of location: MediaLocation, http: HTTPOptions = HTTPOptions()) -> MediaError? {
        location.traits.isRepeatable ? refusal(of: location, http, Interrupt()) : nil
    }

    private static func refusal(of location: MediaLocation, _ http: HTTPOptions, _ interrupt: Interrupt) -> MediaError? {
        do throws(MediaError) {
            let input = try MediaInput(.location(location), http: http, interrupt: interrupt)
            if let document = try StreamDocument(input, http: http) {
                let opening = StreamOpening(options: OpenOptions(), window: nil, interrupt: interrupt, time: SystemTime())
                _ = try opening.sources(document)
            } else {
                _ = try Demuxer(input, interrupt: interrupt)
            }
            return nil
        } catch {
            return error
        }
    }

    /// The outcome; nil while the trial is under way.
    public var outcome: Outcome? { state.read { $0 } }

    /// Waits no longer: the source does not answer. Any thread; never blocks.
    public func giveUp(_ error: MediaError) {
        state.update { $0 = $0 ?? Outcome.fails(error) }
        interrupt.raise()
    }
}
