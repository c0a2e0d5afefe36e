import AetherCore
import AetherEngine
import AetherOptions
import AetherSources
import Glibc

/// Asks the program yt-dlp what plays at the address of a page, without a shell. One question at a time; the answer is taken by the main
/// thread after a wake. What the program says is a stranger's: bounded, checked and stripped.
final class PageDesk: Sendable {
    /// The media of a page.
    struct Page: Sendable, Equatable {
        let url: String
        /// The address of its audio, where that is a source of its own.
        var audio: String?
        /// Safe to display; "" where it has none.
        let title: String
        /// The headers that the site wants to be asked with.
        var headers: [String: String] = [:]
        /// The qualities that the site has.
        var formats = PageFormats()
        var chapters: [SourceSupplement.Chapter] = []
        var images = PageImages()
    }

    enum Answer: Sendable, Equatable {
        case page(Page)
        /// A sentence for the person.
        case failure(String)
    }

    private struct Wish: Sendable {
        let program, url, format: String
        let http: HTTPOptions
    }

    private struct State {
        var deadline: HostTime?
        /// Said without asking the program.
        var refusal: Answer?
    }

    private let requests: Requests<Wish, Answer>
    private let state = Monitor(State())
    private let wake: WakeHandle
    private let path: String
    private let time: any TimeSource

    /// 30 s: sites answer within five, a slow one within fifteen.
    static let patience = TimeSpan.seconds(30)
    /// Addresses are long where they are signed, and a site may list hundreds of formats with one each, and hundreds of pieces.
    private static let outputLimit = 4 << 20, addressLimit = 16 << 10
    private static let program = "yt-dlp"
    /// Sites have their best video and audio apart. More than 1080 lines are of no use in a terminal and cost decoding.
    static let usualFormat = "bv*[height<=?1080]+ba/b[height<=?1080]/b"

    /// `path`: where programs are looked for, as in PATH. `wake` is signalled with each answer.
    init(path: String, wake: WakeHandle, time: any TimeSource = SystemTime()) {
        (self.path, self.wake, self.time) = (path, wake, time)
        // A program that is slow to end holds up no other question.
        requests = Requests(name: "page", urgency: .bulk, threads: 4, wake: { wake.wake() }) {
            { wish, turn in PageDesk.run(wish, path: path, turn) }
        }
    }

    /// The address to ask about, where opening it has failed because it is no media itself; nil for all else.
    static func page(_ location: MediaLocation, after error: MediaError) -> String? {
        guard case .url(let url) = location, isAddress(url) else { return nil }
        // A server's answer without a length, which is shorter than the bytes that tell a format, ends for libavformat in this error.
        let isCutShort = error.code == .cannotOpen && error.cause == -EIO
        return isCutShort || [.notMedia, .noDecodableStream].contains(error.code) ? url : nil
    }

    /// http or https, without anything that is no part of an address.
    static func isAddress(_ url: String) -> Bool {
        let lower = url.prefix(8).lowercased()
        return (lower.hasPrefix("http://") || lower.hasPrefix("https://")) && url.utf8.count <= addressLimit
            && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Asks for a format, in yt-dlp's words; an earlier question is given up. `http`: how servers are spoken to. Never blocks.
    func ask(_ url: String, format: String = PageDesk.usualFormat, http: HTTPOptions = HTTPOptions()) {
        cancel()
        guard let program = ChildProgram.find(Self.program, in: path) else {
            let name = DisplayText.singleLine(Redaction.shown(url), limit: 80)
            state.update {
                $0.refusal = .failure(translated("\(name) is a page and no media file; with yt-dlp installed it may be played"))
            }
            return wake.wake()
        }
        state.update { $0.deadline = time.now() + Self.patience }
        requests.ask(Wish(program: program, url: url, format: format, http: http.applied(to: url)))
    }

    /// An answer is waited for.
    var isAsking: Bool { state.read { $0.deadline != nil || $0.refusal != nil } }

    /// The deadline of the question; nil while there is none.
    var deadline: HostTime? { state.read { $0.deadline } }

    /// The answer, once.
    func take() -> Answer? {
        let (deadline, refusal) = state.read { ($0.deadline, $0.refusal) }
        let isOver = deadline.map { time.now() >= $0 } ?? false
        let answer = refusal ?? requests.take() ?? (isOver ? .failure(translated("yt-dlp does not answer")) : nil)
        if answer != nil { cancel() }
        return answer
    }

    /// Ends the program; its answer is not wanted any more.
    func cancel() {
        state.update { ($0.deadline, $0.refusal) = (nil, nil) }
        requests.drop()
    }

    /// Ends the program, and says so in place of its answer.
    func giveUp() {
        guard deadline != nil else { return }
        cancel()
        state.update { $0.refusal = .failure(translated("yt-dlp was cancelled")) }
        wake.wake()
    }

    /// As `cancel`, and waits until the program is gone, for at most so long. Nothing is asked afterwards.
    func close(within span: TimeSpan) {
        cancel()
        requests.close(until: time.now() + span)
    }

    // MARK: - The program

    private static func run(_ wish: Wish, path: String, _ turn: RequestTurn) -> Answer {
        let stop = WakeHandle(), http = wish.http
        turn.onDrop { stop.wake() }
        // It writes what sites set into the file that it reads: into a copy.
        let cookies: CookieCopy?
        do {
            cookies = try http.cookieFile.map { try CookieCopy(of: $0) }
        } catch {
            return .failure(translated("the cookies cannot be read: \(error)"))
        }
        defer { cookies?.remove() }
        let words = words(wish.url, format: wish.format, http: http, cookies: cookies?.path)
        let call = ChildProgram.Call(
            path: wish.program, arguments: words, environment: ChildProgram.environment(with: ["PATH": path]),
            outputLimit: outputLimit, keepsComplaints: true)
        guard let outcome = ChildProgram(call)?.outcome(stop: stop) else {
            return .failure(translated("yt-dlp cannot be started"))
        }
        switch outcome.end {
        case .exited(0): return answer(String(decoding: outcome.output, as: UTF8.self))
        case .overflowed: return .failure(translated("yt-dlp found nothing to play there"))
        default: return .failure(complaint(String(decoding: outcome.complaints, as: UTF8.self)))
        }
    }

    private static let formatFields =
        "format_id,url,protocol,width,height,fps,tbr,vcodec,acodec,dynamic_range,rows,columns,http_headers"

    /// Its command line. Headers of the person's are left out: it would send them to every server. Pure.
    static func words(_ url: String, format: String, http: HTTPOptions, cookies: String?) -> [String] {
        // "=" holds a value to its option.
        var words = [
            "--ignore-config", "--no-playlist", "--no-warnings", "--quiet", "--socket-timeout", "10", "--format=\(format)",
            "--print", "title", "--print", "urls", "--print", "%(requested_formats.0.http_headers,http_headers)j",
            "--print", "%(.{format_id,chapters,thumbnail})j", "--print", "%(formats.:.{\(formatFields)})j",
        ]
        for kind in 0..<PageImages.kindLimit {
            words += ["--print", "%(formats.\(kind).fragments.:\(PageImages.sheetLimit).{url,duration})j"]
        }
        if http.userAgent != HTTPOptions().userAgent { words.append("--user-agent=\(http.userAgent)") }
        if let referrer = http.referrer { words.append("--referer=\(referrer)") }
        if let proxy = http.proxy { words.append("--proxy=\(proxy)") }
        if let certificate = http.clientCertificate { words.append("--client-certificate=\(certificate)") }
        if http.trustsAnybody { words.append("--no-check-certificates") }
        if let cookies { words.append("--cookies=\(cookies)") }
        // Behind "--" nothing is an option.
        return words + ["--", url]
    }

    /// The meaning of its lines: the title, then the address, then that of the audio where it lies apart, then in JSON the headers, the format
    /// that was chosen with the chapters, the formats, and the pieces of the first of them. What is not there is not known. Pure.
    static func answer(_ text: String) -> Answer {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let addresses = lines.dropFirst().prefix { !$0.isEmpty && !$0.hasPrefix("{") && !unknown.contains($0) }
        guard let url = addresses.first, addresses.count <= 2, addresses.allSatisfy(isAddress) else {
            return .failure(translated("yt-dlp found nothing to play there"))
        }
        let audio = addresses.dropFirst().first
        let facts = lines.dropFirst(1 + addresses.count).prefix(3 + PageImages.kindLimit).map(json) + [.null, .null, .null]
        return .page(
            Page(
                url: url, audio: audio, title: DisplayText.singleLine(lines[0], limit: 200), headers: headers(facts[0]),
                formats: PageFormats(facts[2], chosen: facts[1]["format_id"]?.text),
                chapters: PageFormats.chapters(facts[1]["chapters"] ?? .null),
                images: PageImages(facts: facts[1], formats: facts[2], pieces: Array(facts.dropFirst(3)))))
    }

    private static func json(_ line: String) -> JSON {
        guard line.hasPrefix("{") || line.hasPrefix("[") else { return .null }
        do {
            return try JSON(line.utf8)
        } catch {
            Log.module("page").warning("a line of yt-dlp makes no sense: \(error)")
            return .null
        }
    }

    /// yt-dlp's word for an unknown value.
    private static let unknown: Set<String> = ["NA", "null"]

    /// The headers of an object. Lines that frame a request are left to its sender. Pure.
    static func headers(_ json: JSON) -> [String: String] {
        guard case .object(let members) = json else { return [:] }
        var headers: [String: String] = [:]
        for (name, value) in members.prefix(32) {
            guard let text = value.text, let header = NetworkOptions.header("\(name): \(text)"),
                !["accept-encoding", "range", "host", "connection", "content-length"].contains(header.name.lowercased())
            else { continue }
            headers[header.name] = header.value
        }
        return headers
    }

    /// The complaint of the program, by its last line. Pure.
    static func complaint(_ text: String) -> String {
        let last = text.split(whereSeparator: \.isNewline).last { $0.contains { !$0.isWhitespace } } ?? ""
        let words = DisplayText.singleLine(Redaction.text(String(last)), limit: 160)
        return words.isEmpty ? translated("yt-dlp found nothing to play there") : "yt-dlp: \(words)"
    }
}
