import AetherCore
import CCurl
import Glibc

/// A transfer under way: libcurl's handle and what its callbacks see. Lives on the thread `net`.
final class EasyHandle {
    let number: Int
    let curl: UnsafeMutableRawPointer
    let order: TransferOrder
    let sink: any TransferSink
    /// nil: the server is connected to itself.
    private let proxy: String?
    /// The older versions are tried beside it.
    let offersHTTP3: Bool
    /// The server's field `Alt-Svc`, once it has answered.
    private(set) var services: String?
    private let keeper: UnsafeMutablePointer<aether_curl_gatekeeper>
    private let words: UnsafeMutablePointer<CChar>
    private var list: UnsafeMutablePointer<curl_slist>?
    /// Status lines that count as one of HTTP: Shoutcast's first version has its own.
    private let aliases = curl_slist_append(nil, "ICY 200")
    private var head = HTTPHeadLines()
    var isHeadTold = false
    private var wasChallenged = false
    /// Those that the jar had when the request was set up.
    private var cookies: [String] = []
    var fault: NetworkFault?
    private(set) var isPaused = false
    /// Asked for with each piece of a body.
    private let isWeb: Bool
    /// Bytes that were handed over and that the sink has not heard the end of.
    private var unsettled = 0
    /// The body is of no use to anybody: a redirection's, an error's. Read to its end where it is short, it leaves the connection for others.
    private(set) var isIdle = false
    private var idleBytes = 0
    private var replyBytes = 0
    private static let idleLimit = 64 << 10

    /// `lifetime`: seconds, the age of the oldest connection that may serve. nil without memory, or where libcurl cannot do what the order says.
    init?(
        _ order: TransferOrder, number: Int, sink: any TransferSink, share: UnsafeMutableRawPointer, lifetime: Int? = nil,
        versions: HTTPVersions = HTTPVersions()
    ) {
        guard let curl = curl_easy_init() else { return nil }
        (self.curl, self.number, self.order, self.sink) = (curl, number, order, sink)
        isWeb = order.address.isWeb
        proxy = order.proxy
        offersHTTP3 = versions.offersHTTP3(to: order.address.origin, isProxied: proxy != nil)
        keeper = .allocate(capacity: 1)
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let own = Unmanaged.passUnretained(self).toOpaque()
        keeper.initialize(
            to: aether_curl_gatekeeper(
                gate: { context, address in EasyHandle.at(context)?.connects(to: AddressClass(address)) == true ? 1 : 0 },
                context: own, receive_buffer: Int32(order.options.socketBuffer ?? 0))
        )
        guard setUp(own, share, lifetime) else { return nil }
    }

    deinit {
        curl_easy_cleanup(curl)
        curl_slist_free_all(list)
        curl_slist_free_all(aliases)
        keeper.deallocate()
        words.deallocate()
    }

    /// The outcome of the transfer, by libcurl's result.
    func end(_ code: CURLcode) -> TransferEnd {
        if let fault { return .failed(fault) }
        if code == CURLE_OK, !isWeb, !isHeadTold, !tellFileHead() { return end(code) }
        guard code != CURLE_OK else { return .complete }
        let number = Int32(truncatingIfNeeded: aether_curl_errno(curl))
        return .failed(
            CurlFault.fault(
                code, errno: number, detail: String(cString: words), tunnel: aether_curl_tunnel_status(curl),
                isProxied: proxy != nil, isAnswered: isHeadTold))
    }

    /// Whether the request is to be made once more without HTTP/3: libcurl tells of two connections that came to nothing only that there is none,
    /// and of the older one may have more to say.
    func isWorthOlderHTTP(_ code: CURLcode) -> Bool {
        offersHTTP3 && fault == nil && !isHeadTold && code != CURLE_OK && code != CURLE_OPERATION_TIMEDOUT
    }

    /// Says so to whom the bytes went.
    func tell(_ end: TransferEnd) { sink.end(end, of: number) }

    /// Says so where bytes were handed over since the last time. Returns how many.
    func settle() -> Int {
        guard unsettled > 0 else { return 0 }
        defer { unsettled = 0 }
        sink.settled(number)
        return unsettled
    }

    /// Lets bytes come again. What waits may be delivered before this returns.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        curl_easy_pause(curl, CURLPAUSE_CONT)
    }

    // MARK: - Options

    private func setUp(_ own: UnsafeMutableRawPointer, _ share: UnsafeMutableRawPointer, _ lifetime: Int?) -> Bool {
        let options = order.applied
        var statuses = [
            set(CURLOPT_NOSIGNAL, 1), set(CURLOPT_FOLLOWLOCATION, 0), set(CURLOPT_PROTOCOLS_STR, protocols),
            aether_curl_set_pointer(curl, CURLOPT_HTTP200ALIASES, aliases),
            set(CURLOPT_HTTP_VERSION, offersHTTP3 ? CURL_HTTP_VERSION_3 : CURL_HTTP_VERSION_2TLS),
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            // Without it libcurl waits for the resolver's thread when a transfer is given up, for as long as the name server is silent:
            // all others would stand. The thread ends by itself.
            set(CURLOPT_QUICK_EXIT, 1),
            set(CURLOPT_CONNECTTIMEOUT_MS, max(1, options.connectTimeout.nanoseconds / 1_000_000)),
            set(CURLOPT_TCP_KEEPALIVE, 1),
            // For transfers without a reader; those that are read have a shorter patience, and paused ones are not counted.
            set(CURLOPT_LOW_SPEED_LIMIT, 1), set(CURLOPT_LOW_SPEED_TIME, 60),
            // The most that libcurl takes. The pieces are of 16 KB all the same; with as much from each call of the system, and half as many
            // wake-ups of the reader, a gigabyte costs a quarter less than with 256 KB.
            set(CURLOPT_BUFFERSIZE, 512 << 10),
            set(CURLOPT_URL, order.address.text), set(CURLOPT_USERAGENT, clean(options.userAgent)),
            aether_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, words), aether_curl_set_pointer(curl, CURLOPT_SHARE, share),
            aether_curl_set_pointer(curl, CURLOPT_PRIVATE, own), aether_curl_set_gate(curl, keeper),
            aether_curl_set_resolving(
                curl,
                { _, _, own in
                    EasyHandle.at(own)?.reached(.resolving)
                    return 0
                }, own),
            aether_curl_set_ready(
                curl,
                { own, _, _, _, _ in
                    EasyHandle.at(own)?.reached(.waiting)
                    return CURL_PREREQFUNC_OK
                }, own),
            aether_curl_set_body(curl, { bytes, size, count, own in EasyHandle.at(own)?.body(bytes, size * count) ?? 0 }, own),
            aether_curl_set_headers(curl, { bytes, size, count, own in EasyHandle.at(own)?.line(bytes, size * count) ?? 0 }, own),
        ]
        if let user = order.user {
            statuses += [
                set(CURLOPT_USERNAME, user),
                set(CURLOPT_PASSWORD, order.password ?? ""),
            ]
        }
        statuses.append(order.usesDigest ? aether_curl_set_digest(curl) : aether_curl_set_basic(curl))
        if order.isTrusted, order.user == nil {
            statuses.append(set(CURLOPT_NETRC, 1))
            if let file = options.netrcFile { statuses.append(set(CURLOPT_NETRC_FILE, file)) }
        }
        if let referrer = options.referrer { statuses.append(set(CURLOPT_REFERER, clean(referrer))) }
        // "": no file, but cookies are kept.
        statuses.append(set(CURLOPT_COOKIEFILE, options.cookieFile ?? ""))
        cookies = options.jar.lines
        for line in cookies { statuses.append(set(CURLOPT_COOKIELIST, line)) }
        // "" where there is none: the environment was looked at.
        statuses += [set(CURLOPT_PROXY, proxy ?? ""), set(CURLOPT_NOPROXY, "")]
        if let lifetime { statuses.append(set(CURLOPT_MAXLIFETIME_CONN, lifetime)) }
        switch options.method {
        case .get: break
        case .head: statuses.append(set(CURLOPT_NOBODY, 1))
        // The size comes first: libcurl copies as much.
        case .post(let text):
            statuses += [set(CURLOPT_POSTFIELDSIZE, text.utf8.count), set(CURLOPT_COPYPOSTFIELDS, text)]
        }
        // "": whatever libcurl can unpack.
        if order.isFresh { statuses.append(set(CURLOPT_FRESH_CONNECT, 1)) }
        if order.unpacks { statuses.append(set(CURLOPT_ACCEPT_ENCODING, "")) }
        statuses += trust(options)
        statuses += isWeb ? listing() : fileOptions(options)
        for line in order.lines { list = curl_slist_append(list, line) ?? list }
        statuses.append(aether_curl_set_pointer(curl, CURLOPT_HTTPHEADER, list))
        return statuses.allSatisfy { $0 == CURLE_OK }
    }

    /// The one that the address names; redirections lead from http to https and nowhere else.
    private var protocols: String {
        let scheme = order.address.origin.scheme
        // Left out of what is allowed, it is refused in libcurl's own words.
        return isWeb || aether_curl_speaks(scheme) == 0 ? "http,https" : scheme
    }

    private func listing() -> [CURLcode] {
        guard order.options.isListing else { return [] }
        list = curl_slist_append(list, "Depth: 1") ?? list
        list = curl_slist_append(list, "Content-Type: application/xml; charset=utf-8") ?? list
        let wanted = """
            <?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/></prop></propfind>
            """
        return [set(CURLOPT_COPYPOSTFIELDS, wanted), set(CURLOPT_CUSTOMREQUEST, "PROPFIND")]
    }

    private func trust(_ options: HTTPOptions) -> [CURLcode] {
        var statuses = [
            set(CURLOPT_SSL_VERIFYPEER, options.trustsAnybody ? 0 : 1),
            set(CURLOPT_SSL_VERIFYHOST, options.trustsAnybody ? 0 : 2),
        ]
        if let file = options.caFile { statuses.append(set(CURLOPT_CAINFO, file)) }
        if let file = options.clientCertificate { statuses += [set(CURLOPT_SSLCERT, file), set(CURLOPT_SSLKEY, file)] }
        return statuses
    }

    func set(_ option: CURLoption, _ value: Int) -> CURLcode { aether_curl_set_long(curl, option, value) }
    private func set(_ option: CURLoption, _ value: Int64) -> CURLcode { aether_curl_set_long(curl, option, Int(value)) }
    func set(_ option: CURLoption, _ text: String) -> CURLcode { aether_curl_set_text(curl, option, text) }
    private func clean(_ text: String) -> String { DisplayText.singleLine(text, limit: 8000) }

    // MARK: - Callbacks

    /// The handle that a callback belongs to.
    static func at(_ own: UnsafeMutableRawPointer?) -> EasyHandle? {
        own.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func reached(_ step: ConnectionStep) { sink.reached(step, of: number) }

    private func connects(to address: AddressClass) -> Bool {
        reached(.connecting)
        return admits(address)
    }

    func admits(_ address: AddressClass) -> Bool {
        if address == .open || order.permitsPrivate || proxy != nil { return true }
        fault = NetworkFault(.privateAddress)
        return false
    }

    private func line(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        // The talk of ftp is libcurl's; who talks without end is cut off.
        guard isWeb else {
            replyBytes += count
            return replyBytes <= Self.idleLimit ? count : 0
        }
        switch head.take(UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .more: return count
        case .tooMuch:
            fault = NetworkFault(.badAnswer, detail: "its head has no end")
            return 0
        case .done(let head):
            // Data behind the body is no second answer.
            if isHeadTold { return count }
            // The question that a digest answers; libcurl asks again by itself.
            if order.usesDigest, head.status == 401, !wasChallenged {
                wasChallenged = true
                self.head = HTTPHeadLines()
                return count
            }
            isHeadTold = true
            services = head.fields["alt-svc"]
            // Before the sink hears of it: a redirection is followed at once.
            if head.fields["set-cookie"] != nil { keepCookies() }
            isIdle = !(200...207).contains(head.status)
            let isPrivate = isAnsweredPrivately
            // A connection of an earlier request asks at no gate.
            guard admits(isPrivate ? .closed : .open) else { return 0 }
            let peer = TransferPeer(isPrivate: isPrivate, connections: aether_curl_connections(curl))
            sink.take(head, from: peer, of: number)
            return count
        }
    }

    private func keepCookies() {
        let list = aether_curl_cookies(curl)
        defer { curl_slist_free_all(list) }
        var lines: [String] = [], next = list
        while let item = next {
            if let text = item.pointee.data { lines.append(String(cString: text)) }
            next = item.pointee.next
        }
        order.options.jar.take(lines, given: cookies)
    }

    var isAnsweredPrivately: Bool {
        guard let text = aether_curl_peer(curl) else { return true }
        return AddressClass(String(cString: text)) != .open
    }

    private func body(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        if isIdle {
            idleBytes += count
            return idleBytes <= Self.idleLimit ? count : 0
        }
        if !isWeb, !isHeadTold, !tellFileHead() { return count > 0 ? 0 : 1 }
        switch sink.take(UnsafeRawBufferPointer(start: bytes, count: count), of: number) {
        case .taken:
            unsettled += count
            return count
        case .later:
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stop: return count > 0 ? 0 : 1
        }
    }
}
