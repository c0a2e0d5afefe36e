extension UTCTiming {
    /// nil for what is not understood: NTP, SNTP, and addresses that are none.
    init?(_ element: XMLElement, base: StreamAddress) {
        let value = element.attribute("value") ?? ""
        // "urn:mpeg:dash:utc:http-iso:2014", and :2012 of the same.
        let parts = (element.attribute("schemeIdUri") ?? "").lowercased().split(separator: ":")
        guard parts.count == 6, parts.starts(with: ["urn", "mpeg", "dash", "utc"]) else { return nil }
        // Several addresses may be there, with white space between them.
        let address = value.split(separator: " ").first.flatMap { base.resolved(String($0)) }
        switch parts[4] {
        case "direct":
            guard let moment = MPDValue.date(value) else { return nil }
            method = .direct(moment)
        case "http-head":
            guard let address else { return nil }
            method = .head(address)
        case "http-iso", "http-xsdate":
            guard let address else { return nil }
            method = .body(address)
        default: return nil
        }
    }

    /// The moment in the body of an answer, in nanoseconds since 1970; nil for a body without one.
    public static func moment(body: [UInt8]) -> Int64? {
        let range = XMLTree.trimmed(0..<min(body.count, 200), body)
        // Some answer with a string of JSON.
        let isQuoted = range.count > 2 && body[range.lowerBound] == UInt8(ascii: "\"")
        return HLSNumber.date(body, isQuoted ? (range.lowerBound + 1)..<(range.upperBound - 1) : range)
    }

    private static let months: [Substring] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Whether the moment in the body of an answer has no parts of a second.
    public static func isCoarse(body: [UInt8]) -> Bool { !body.prefix(200).contains(UInt8(ascii: ".")) }

    /// The moment of a header "Date" (RFC 9110), "Sun, 06 Nov 1994 08:49:37 GMT", that was held so many seconds on its way; nil for others.
    public static func moment(header: String, age: Int64 = 0) -> Int64? {
        let parts = header.lowercased().split { $0 == " " || $0 == "," }
        guard parts.count == 6, parts[5] == "gmt" || parts[5] == "utc", parts[3].utf8.count == 4, parts[1].utf8.count <= 2,
            let month = months.firstIndex(of: parts[2])
        else { return nil }
        let day = parts[1].utf8.count == 1 ? "0" + parts[1] : String(parts[1]), number = month + 1
        let moment = MPDValue.date("\(parts[3])-\(number < 10 ? "0" : "")\(number)-\(day)T\(parts[4])Z")
        return moment.map { $0.saturatingAdd(age.multipliedReportingOverflow(by: 1_000_000_000).partialValue) }
    }
}

/// The server's clock, as far as it is known: how much it is ahead of the own one. Moments are nanoseconds since 1970.
public struct ServerClock: Sendable, Equatable {
    /// The time after which the clock is learnt anew.
    public static let renewal: Int64 = 600_000_000_000

    /// The time by which the server's clock is ahead of the own clock; 0 while it is unknown.
    public private(set) var lead: Int64 = 0
    private var learnt: Int64?
    private var uncertainty: Int64 = .max

    /// The own clock.
    public init() {}

    /// An answer that says a moment: asked and answered are by the own clock. A whole second may have begun long before (`isCoarse`: the header
    /// "Date"): then the server's clock is taken to be no further than it must be, so that nothing is asked for too early. A worse measurement than
    /// the one there is does not replace it before it is to be renewed.
    public mutating func learn(_ moment: Int64, asked: Int64, answered: Int64, isCoarse: Bool = false) {
        guard answered >= asked else { return }
        let doubt = (answered - asked) / 2 + (isCoarse ? 500_000_000 : 0)
        guard doubt <= uncertainty || isOld(answered) else { return }
        lead = moment.saturatingAdd(-(isCoarse ? answered : asked + (answered - asked) / 2))
        (learnt, uncertainty) = (answered, doubt)
    }

    /// Something speaks against what was learnt: the next answer is taken, whatever its doubt.
    public mutating func doubt() { (learnt, uncertainty) = (nil, .max) }

    /// Whether the clock must be learnt (again).
    public func isOld(_ now: Int64) -> Bool { learnt.map { now - $0 >= Self.renewal || now < $0 } ?? true }

    /// The server's moment.
    public func moment(_ own: Int64) -> Int64 { own.saturatingAdd(lead) }
}
