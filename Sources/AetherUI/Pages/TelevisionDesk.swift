import AetherCore
import AetherFormats
import AetherSources
import AetherTerminal
import Glibc

/// Reads what a list of channels asks for: its names as they are searched, and its guides. On threads of its own; answers are taken by the main
/// thread after a wake.
final class TelevisionDesk: Sendable {
    private struct Wish: Sendable {
        let book: ChannelBook
        let sources: [String]
        let http: HTTPOptions
    }

    private let names: Requests<ChannelBook, TelevisionNews>
    private let guides: Requests<Wish, TelevisionNews>
    private let state = Monitor(State())
    private let time: any TimeSource

    private struct State {
        var book: ChannelBook?
        var sources: [String] = []
        var http = HTTPOptions()
        var news: [TelevisionNews] = []
        /// The guide is read again then.
        var refresh: HostTime?
    }

    /// Guides are made some times a day.
    private static let refreshSpan = TimeSpan.seconds(4 * 3600)
    /// A guide that could not be had is asked for again.
    private static let retrySpan = TimeSpan.seconds(300)
    /// Compressed guides of that size are more than 256 MB of text.
    private static let packedLimit = 64 << 20

    /// `wake` is signalled with each answer.
    init(wake: WakeHandle, time: any TimeSource = SystemTime()) {
        self.time = time
        names = Requests(name: "channels", wake: { wake.wake() }) { { book, _ in .names(ChannelNames(book.list), of: book) } }
        guides = Requests(name: "guide", urgency: .idle, wake: { wake.wake() }) {
            { wish, turn in Self.read(wish, turn) }
        }
    }

    /// A list was opened. `source`: a guide that the person names; nil: those of the list.
    func begin(_ book: ChannelBook, guide source: String?, http: HTTPOptions) {
        let sources = source.map { [$0] } ?? book.guides
        state.update { state in
            (state.book, state.sources, state.http) = (book, sources, http)
            state.news.append(.list(book))
        }
        names.ask(book)
        refresh()
    }

    private func refresh() {
        let (book, sources, http) = state.update { state in
            state.refresh = state.sources.isEmpty ? nil : time.now() + Self.refreshSpan
            return (state.book, state.sources, state.http)
        }
        guard let book, !sources.isEmpty else { return }
        guides.ask(Wish(book: book, sources: sources, http: http))
    }

    /// Whether a guide is to be expected.
    var hasGuide: Bool { state.read { !$0.sources.isEmpty } }

    /// The time at which `take` has something to do if nothing else happens.
    var deadline: HostTime? { state.read { $0.refresh } }

    /// The next news; each once.
    func take() -> TelevisionNews? {
        if let due = state.read({ $0.refresh }), time.now() >= due { refresh() }
        let waiting = state.update { $0.news.isEmpty ? nil : $0.news.removeFirst() }
        guard let news = waiting ?? names.take() ?? guides.take() else { return nil }
        if case .failed = news { state.update { $0.refresh = time.now() + Self.retrySpan } }
        return news
    }

    // MARK: - On a thread

    private static func read(_ wish: Wish, _ turn: RequestTurn) -> TelevisionNews {
        let unix = Int64(Glibc.time(nil))
        let links = GuideLinks(wish.book.list, folding: FoldedText.of)
        var reader = XMLTVReader(links, around: unix, folding: FoldedText.of)
        var failure: String?
        for source in wish.sources {
            do throws(IOReaderError) {
                try feed(source, wish, &reader, turn)
            } catch {
                let name = DisplayText.singleLine(Redaction.shown(source), limit: 200)
                failure = failure ?? translated("cannot read the guide \(name): \(Self.reason(error))")
            }
        }
        if let failure, !reader.isGuide { return .failed(failure) }
        if !reader.isGuide { return .failed(translated("the guide is no XMLTV: nothing in it is a programme")) }
        return .guide(reader.finish(), of: wish.book)
    }

    private static func reason(_ error: IOReaderError) -> String {
        switch error {
        case .network(let fault): fault.sentence
        case .posix(let number): SystemText.error(number)
        default: translated("it breaks off")
        }
    }

    private static func feed(
        _ source: String, _ wish: Wish, _ reader: inout XMLTVReader, _ turn: RequestTurn
    ) throws(IOReaderError) {
        guard HTTPReader.reads(source) else { return try feed(try FileReader(path: source), &reader) }
        // An address that a list of a web server names is requested as the list's document allows.
        let isListed = wish.book.guides.contains(source)
        let web = try HTTPReader(source, options: isListed ? wish.http.named(by: wish.book.document) : wish.http)
        defer { web.close() }
        turn.onDrop { web.cancel() }
        try web.open()
        try feed(web, &reader)
    }

    private static func feed(_ bytes: any IOReader, _ reader: inout XMLTVReader) throws(IOReaderError) {
        var piece = try bytes.bytes(limit: 256 << 10)
        if GzipPieces.isGzip(piece) {
            piece += try bytes.bytes(limit: packedLimit)
            var pieces = GzipPieces(piece)
            do throws(GzipPieces.Damage) {
                while let text = try pieces.next(), reader.feed(text) {}
            } catch {
                // The programmes before the damage are a guide, too.
                Log.module("guide").warning("the compressed guide is damaged")
            }
            return
        }
        while !piece.isEmpty, reader.feed(piece) { piece = try bytes.bytes(limit: 256 << 10) }
    }
}
