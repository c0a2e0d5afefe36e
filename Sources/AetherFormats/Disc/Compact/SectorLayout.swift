/// The place of a sector's user data in the bytes of an image.
public struct SectorLayout: Sendable, Equatable {
    /// The kinds of track.
    public enum Content: Sendable, Equatable {
        /// Samples.
        case audio
        /// Mode 2 (XA): a file system's sectors of 2048 bytes (form 1) or a video's of 2324 (form 2), as each sector says.
        case mixed
        /// A file system.
        case files
    }
    /// Bytes from one sector to the next.
    public let size: Int
    /// Bytes before the user data.
    public let header: Int
    /// Bytes of user data.
    public let payload: Int
    /// The place of the byte of the subheader that tells the form; nil: all sectors have one form.
    public let submode: Int?
    /// The kind of track.
    public let content: Content

    /// Samples: 588 of two channels.
    public static let audio = SectorLayout(size: 2352, header: 0, payload: 2352, submode: nil, content: .audio)
    /// A whole sector of mode 2.
    public static let rawMode2 = SectorLayout(size: 2352, header: 24, payload: form2, submode: 18, content: .mixed)
    /// A whole sector of mode 1: of a file system.
    public static let rawMode1 = SectorLayout(size: 2352, header: 16, payload: form1, submode: nil, content: .files)
    /// User data of a sector of form 1 and of form 2.
    public static let form1 = 2048, form2 = 2324
    private static let form2Bit: UInt8 = 0x20

    private init(size: Int, header: Int, payload: Int, submode: Int?, content: Content) {
        (self.size, self.header, self.payload) = (size, header, payload)
        (self.submode, self.content) = (submode, content)
    }

    /// The layout that a sheet's word stands for; nil for one that is not known.
    public init?(mode: String) {
        switch mode {
        case "AUDIO": self = .audio
        // 96 bytes of graphics stand behind the samples.
        case "CDG": self.init(size: 2448, header: 0, payload: 2352, submode: nil, content: .audio)
        case "MODE2/2352", "CDI/2352": self = .rawMode2
        case "MODE2/2336", "CDI/2336": self.init(size: 2336, header: 8, payload: Self.form2, submode: 2, content: .mixed)
        case "MODE2/2324": self.init(size: 2324, header: 0, payload: Self.form2, submode: nil, content: .mixed)
        case "MODE1/2352": self = .rawMode1
        case "MODE1/2048", "MODE2/2048": self.init(size: 2048, header: 0, payload: Self.form1, submode: nil, content: .files)
        default: return nil
        }
    }

    /// Whether user data fills its sectors, so that it lies in one piece.
    public var isPlain: Bool { size == payload }

    /// Bytes of user data of a sector of this layout: of one of form 1 fewer than there is room.
    public func count(_ sector: UnsafeRawBufferPointer) -> Int {
        guard let submode, submode < sector.count, sector[submode] & Self.form2Bit == 0 else { return payload }
        return min(payload, Self.form1)
    }
}
