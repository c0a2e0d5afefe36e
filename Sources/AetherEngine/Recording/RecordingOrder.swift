public import AetherCore
import AetherFormats
public import AetherMedia

/// A wish to record the playing media: its packets as they are, without a second connection.
public struct RecordingOrder: Sendable, Equatable {
    /// The file to make. An existing file is never written over.
    public var path: String
    /// The form of the file.
    public var form: FileMuxerForm
    /// The point of the source axis to begin at, as far back as packets are held in memory or, of a live source, on disk; nil: the frame on
    /// screen.
    public var start: MediaTime?
    /// The recording ends by itself after so much of media time; nil: with the source, or when it is told to.
    public var span: TimeSpan?
    /// The source's own bytes are kept where it can only be read on, or comes in segments; of any other the packets, in a file of its form.
    public var isAsIs = false
    /// The name has no ending yet: it gets that of the form.
    public var lacksEnding = false

    /// A wish. The name's ending says the form; MKV where it says none.
    public init(path: String, start: MediaTime? = nil, span: TimeSpan? = nil, isAsIs: Bool = false) {
        (self.path, self.start, self.span, self.isAsIs) = (path, start, span, isAsIs)
        form = FileMuxerForm(path: path) ?? .matroska
    }

    /// The file of a further part, where streams have changed in such a way that they need a file of their own: "name-2.mkv".
    func path(ofPart number: Int) -> String {
        guard number > 1 else { return path }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + "-\(number)" }
        return path.dropLast(name.count) + name[..<dot] + "-\(number)" + name[dot...]
    }

    /// Whether a file is one of its parts, by its name.
    package func hasPart(_ file: String) -> Bool {
        let digits = file.split(separator: "-").last?.prefix { $0.isASCII && $0.isNumber } ?? ""
        return file == path || Int(digits).map { $0 > 1 && path(ofPart: $0) == file } ?? false
    }

    /// With the ending, where the name has none.
    func named(_ ending: String) -> RecordingOrder {
        var order = self
        if lacksEnding { (order.path, order.lacksEnding) = (path + "." + ending, false) }
        return order
    }

    /// As it is carried out with the packets of a source: where it wants the source's own form and there is a muxer of that, in that.
    func settled(for info: SourceInfo) -> RecordingOrder {
        var order = self
        if isAsIs {
            switch info.family {
            case .mpegTS: order.form = .mpegTS
            case .isoBMFF: order.form = .mp4
            default: order.form = .matroska
            }
        }
        return order.named(order.form.pathExtension)
    }
}
