/// One of several programmes that a source holds side by side, of which one is played at a time: the channels of a broadcast's
/// multiplex. Texts are safe to display.
public struct TitleInfo: Identifiable, Sendable, Equatable {
    /// The container's number, for MPEG-TS that of the programme.
    public let id: Int
    /// The station's word, "" when it has none.
    public let name: String
    /// Where it begins on the source axis: programmes of one multiplex may each have a clock of their own.
    public let startTime: MediaTime
    /// nil when unknown.
    public let duration: TimeSpan?
    /// What belongs to it.
    public let tracks: Set<TrackID>

    /// A title.
    public init(id: Int, name: String, startTime: MediaTime, duration: TimeSpan?, tracks: Set<TrackID>) {
        self.id = id
        self.name = name
        self.startTime = startTime
        self.duration = duration
        self.tracks = tracks
    }
}
