public import AetherCore
import AetherFormats
public import AetherMedia
public import AetherSources
import Glibc

extension MediaInput {
    /// Opens the reader of a source. Blocks on the file system, and on a web server until the first bytes have come, or until the interrupt
    /// is raised. `follows`: a file that is still being written is read on at its end. The meter counts the bytes that are read from
    /// servers. `songs` receives the titles of a radio station's songs as they are read, on the thread that reads. Of a DVD, an image or a
    /// folder, of a compact disc's sheet and image, and of the disc in a drive it is the chosen title; on a server an address of the list of a folder's
    /// titles stands for the disc. Throws `.cannotOpen`, `.notMedia` for a web page, `.unsupported`
    /// for a title that there is not, or `.interrupted`.
    public init(
        _ source: MediaSource, http: HTTPOptions = HTTPOptions(), meter: NetworkMeter = NetworkMeter(), follows: Bool = false,
        songs: (@Sendable (String) -> Void)? = nil, disc: DiscChoice = DiscChoice(), interrupt: Interrupt
    ) throws(MediaError) {
        if case .location(.file(let path)) = source {
            if let title = try Self.discFolder(path, disc) {
                self = title
                return
            }
            if let title = try Self.discSheet(path, disc) {
                self = title
                return
            }
            if let title = try Self.discDrive(path, disc, interrupt) {
                self = title
                return
            }
        }
        if case .location(.url(let url)) = source, let title = try Self.discOnServer(url, disc, http, meter, interrupt) {
            self = title
            return
        }
        self = try Self.opened(source, http, meter, follows: follows, songs, interrupt).onDisc(disc, interrupt: interrupt)
    }

    private static func opened(
        _ source: MediaSource, _ http: HTTPOptions, _ meter: NetworkMeter, follows: Bool, _ songs: (@Sendable (String) -> Void)?,
        _ interrupt: Interrupt
    ) throws(MediaError) -> MediaInput {
        switch source {
        case .custom(let reader, let name): return .reader(reader, name: name)
        case .location(.url(let url)) where HTTPReader.opens(url): return try MediaInput(web: url, http, meter, songs, interrupt)
        case .location(.url(let url)) where ShareReader.opens(url): return try MediaInput(share: url, interrupt)
        case .location(.url(let url)): return .url(url, trust: http.applied(to: url).trust)
        case .location(let location):
            do throws(IOReaderError) {
                guard let reader = try location.openReader(follows: follows) else {
                    throw IOReaderError.closed
                }
                return .reader(reader, name: location.fullName)
            } catch {
                throw MediaError(location, error)
            }
        }
    }
}

extension MediaInput {
    /// Files that name others are given to libavformat with the opener for those.
    private init(
        web url: String, _ wanted: HTTPOptions, _ meter: NetworkMeter, _ songs: (@Sendable (String) -> Void)?,
        _ interrupt: Interrupt
    ) throws(MediaError) {
        var options = wanted
        options.asksForSongs = songs != nil
        do throws(IOReaderError) {
            let reader = try HTTPReader(url, options: options, meter: meter)
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                // The next one to attach it hears of an interrupt that is still up.
                reader.resume()
            }
            switch try reader.content() {
            case .media:
                if reader.needsRereading() { reader.rereads() }
                let station = songs.flatMap { SongReader(reader, say: $0) }
                self = .reader(station ?? reader, name: url)
            case .document:
                let opener = DocumentOpener { address, interrupt throws(IOReaderError) in
                    try reader.openNamed(address, attach: { interrupt.attach($0) }, detach: { interrupt.detach($0) })
                }
                self = .document(reader, name: reader.location, opener: opener)
            case .script:
                let isAllowed = reader.isPrivate || options.allowsLAN
                reader.close()
                // The addresses in it are not checked.
                guard isAllowed else {
                    throw .network(NetworkFault(.privateAddress, detail: "such a list is opened from private networks alone"))
                }
                self = .url(url, trust: options.applied(to: url).trust)
            case .page:
                reader.close()
                throw .network(NetworkFault(.webPage))
            }
        } catch {
            throw MediaError(.url(url), error)
        }
    }
}

extension HTTPOptions {
    /// The same for libavformat's protocols.
    fileprivate var trust: CertificateTrust { trustsAnybody ? .anybody : caFile.map { .authorities(file: $0) } ?? .system }
}

extension MediaInput {
    private init(share url: String, _ interrupt: Interrupt) throws(MediaError) {
        do throws(IOReaderError) {
            let reader = try ShareReader(url)
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                reader.resume()
            }
            try reader.open()
            self = .reader(reader, name: url)
        } catch {
            throw MediaError(.url(url), error)
        }
    }
}

extension HTTPReader {
    /// Half a gigabyte: a minute at 70 Mbit/s before the first frame, and as much once more.
    private static let rereadingLimit: Int64 = 512 << 20

    /// Whether it can be played only by going back, and the server knows no way back but the start: an MP4 with its index at the end. Left at its
    /// start. Blocks on the server.
    func needsRereading() -> Bool {
        guard !isSeekable, let size, size <= Self.rereadingLimit else { return false }
        defer { rewind() }
        // A server that breaks off is told of where the file is played up to there.
        guard let head = try? bytes(limit: IndexPlace.room) else { return false }
        return IndexPlace(head) == .back
    }
}

extension MediaLocation {
    /// The whole path, for messages and for the guess at a format by its extension.
    fileprivate var fullName: String {
        switch self {
        case .file(let path): path
        case .url(let url): url
        case .standardInput: "standard input"
        }
    }
}

extension MediaError {
    /// The reason why a path could not be opened, in the system's words.
    init(_ location: MediaLocation, _ error: IOReaderError) {
        switch error {
        case .posix(let number):
            self.init(.cannotOpen, "open", subject: location.fullName, cause: -number, reason: String(cString: strerror(number)))
        case .network(let fault):
            self.init(
                Self.code(fault), "open", subject: location.fullName, cause: Self.cause(fault),
                reason: fault.sentence(asked: location.fullName))
        case .cancelled: self.init(.interrupted, "open", subject: location.fullName)
        default: self.init(.cannotOpen, "open", subject: location.fullName, reason: "\(error)")
        }
    }

    private static func code(_ fault: NetworkFault) -> Code {
        fault.kind == .webPage ? .notMedia : fault.asksForLogin ? .loginRefused : .cannotOpen
    }

    /// The system's number for a server's refusal; nil for other faults.
    static func cause(_ fault: NetworkFault) -> Int32? {
        switch fault.kind {
        case .status(401), .status(403), .status(405), .denied, .login, .forbidden: -EACCES
        case .status(404), .status(410), .missing, .noShare: -ENOENT
        default: nil
        }
    }
}

extension MediaSource {
    /// The name that a person would use: the last part of a path, safe to display.
    var displayName: String {
        switch self {
        case .location(let location): location.displayName
        case .custom(_, let name): DisplayText.singleLine(name)
        }
    }
}
