public import AetherCore
public import AetherMedia

/// A wish to record the playing media: its packets as they are, without a second connection.
public struct RecordingOrder: Sendable, Equatable {
    /// The file to make. An existing file is never written over.
    public var path: String
    /// The form of the file.
    public var form: FileMuxerForm
    /// The point of the source axis to begin at, as far back as packets are held; nil: the frame on screen.
    public var start: MediaTime?
    /// The recording ends by itself after so much of media time; nil: with the source, or when it is told to.
    public var span: TimeSpan?

    /// A wish. The name's ending says the form; MKV where it says none.
    public init(path: String, start: MediaTime? = nil, span: TimeSpan? = nil) {
        (self.path, self.start, self.span) = (path, start, span)
        form = FileMuxerForm(path: path) ?? .matroska
    }

    /// The file of a further part, where streams have changed in such a way that they need a file of their own: "name-2.mkv".
    func path(ofPart number: Int) -> String {
        guard number > 1 else { return path }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + "-\(number)" }
        return path.dropLast(name.count) + name[..<dot] + "-\(number)" + name[dot...]
    }
}
