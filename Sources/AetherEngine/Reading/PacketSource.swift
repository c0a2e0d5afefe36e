import AetherCore
import AetherMedia

/// A source of packets on one axis of time: one container, or several sources joined.
///
/// Lives on the thread `demux`. `read` and `seek` may block on bytes until the session's interrupt is raised, and then throw
/// `.interrupted`; afterwards each of them may be called again.
protocol PacketSource: AnyObject {
    /// The present description.
    var description: SourceDescription { get }
    /// The range that can be gone to, asked anew. Never blocks.
    var window: SourceWindow { get }
    /// Looks whether a broadcast has more, while nothing is read of it. Blocks on its server.
    func look() throws(MediaError)
    /// Bytes taken from below so far.
    var bytesFetched: Int64 { get }
    /// Damaged places that reading went on after.
    var damageCount: Int { get }

    /// The source cannot place its packets before the opened source has come further. Reading it all the same places them as well as can be.
    var isHeldUp: Bool { get }

    /// All that there is by now was read, and it is not yet time to look for more: reading would wait for that.
    var awaitsMore: Bool { get }

    /// Delivers only packets of these streams from now on. At first all are delivered.
    func select(_ streams: Set<StreamID>)

    /// Goes over to another quality; nil: it is chosen by the source from now on, where there is something to choose by. Returns the point
    /// from which on packets come once more, in that; nil where it follows on what was read. That is the first border behind `point`, or,
    /// where the turn is at once, the last one before it.
    /// Blocks. Throws where it cannot be had; the present one goes on then.
    func choose(_ variant: MediaVariant.ID?, behind point: MediaTime, _ turn: VariantTurn) throws(MediaError) -> MediaTime?

    /// So much of a broadcast's past is kept on this machine from now on, where any of it is.
    func keep(for span: TimeSpan)

    /// The next step of reading, its packet stamped with the run. Throws `.endOfMedia` at the end of all that was selected, `.readFailed`
    /// where reading ended before the source did, with the reason as a person reads it.
    func read(run: Epoch) throws(MediaError) -> SourceEvent

    /// Moves to where decoding for a plan begins, by the key frames of the video stream where there is one. Returns whether it has moved:
    /// a source that stands at its start already does not. Throws `.seekFailed` where it cannot.
    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool

    /// The key frames of a stream by the source's index; nil where it has no complete one. `isNominal`: by a manifest's durations. May block.
    func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)?
}

extension PacketSource {
    /// None: it has no index.
    func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)? { nil }

    /// Nothing: its window is up to date.
    func look() throws(MediaError) {}

    /// Nothing: its past is not kept.
    func keep(for span: TimeSpan) {}

    /// False: a source of its own does not wait for others.
    var isHeldUp: Bool { false }

    /// False: what waits is what is played.
    var awaitsMore: Bool { false }

    /// Nothing: there is one quality.
    func choose(_ variant: MediaVariant.ID?, behind point: MediaTime, _ turn: VariantTurn) throws(MediaError) -> MediaTime? {
        nil
    }
}
