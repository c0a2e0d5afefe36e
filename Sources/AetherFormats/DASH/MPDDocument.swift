import AetherCore

/// A manifest of MPEG-DASH (ISO/IEC 23009-1) as it is written: the attributes of the whole presentation, and its periods on the axis. The
/// axis of a dynamic manifest begins at availabilityStartTime, also where a later version is static: the broadcast has ended. That of another
/// static manifest begins at its first period. A value; nothing is fetched.
/// `Presentation.init` makes tracks and segments of the document.
public struct MPDDocument: Sendable {
    /// The most bytes that a manifest may have.
    public static let sizeLimit = 16 << 20
    /// Periods at most.
    static let periodLimit = 1000

    /// The address that it came from, behind redirections: addresses in the manifest are relative to it.
    public let address: StreamAddress
    /// The manifest is to be read again: a broadcast, or a recording that still grows.
    public let isDynamic: Bool
    /// It is dynamic, or was in an earlier version: its axis begins at availabilityStartTime.
    let isOnClock: Bool
    /// The manifest's name; nil: none.
    public let id: String?
    /// Nanoseconds since 1970; nil where it is not said.
    public let publishTime: Int64?
    /// The zero of the axis in nanoseconds since 1970; nil where it is not said, as of static ones.
    public let availabilityStart: Int64?
    /// Nanoseconds since 1970 at which it ends; nil where that is not known.
    public let availabilityEnd: Int64?
    /// The length; nil where it is unknown.
    public let duration: Ticks?
    /// The time after which it is to be read again; nil: its segments say so themselves, or never.
    public let minimumUpdatePeriod: Ticks?
    /// The length that a player should hold before it begins.
    public let minBufferTime: Ticks?
    /// How far back a broadcast goes; nil: to its start.
    public let timeShiftBufferDepth: Ticks?
    /// The distance from the live edge that the broadcaster wishes for; nil where it does not say.
    public let suggestedDelay: Ticks?
    /// The longest segment; nil where it does not say.
    public let maxSegmentDuration: Ticks?
    let root: XMLElement
    let periods: [MPDPeriod]

    /// Whether bytes begin like a manifest of DASH, of UTF-8 or UTF-16: comments, an XML declaration and a byte order mark may
    /// come first.
    public static func begins(_ bytes: [UInt8]) -> Bool {
        var scanner = XMLScanner(XMLEncoding.utf8(Array(bytes.prefix(64 << 10))))
        for _ in 0..<16 {
            switch scanner.piece() {
            case .start(let name, _): return ["MPD", "Patch"].contains(String(decoding: scanner.bytes[name], as: UTF8.self))
            case .text(let range):
                let isBlank = scanner.bytes[range].allSatisfy { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
                guard isBlank else { return false }
            case .declaration: continue
            case .end, .data, nil: return false
            }
        }
        return false
    }

    /// Reads a manifest. Throws for markup that is broken or refused, for another document, and for numbers that make no sense where
    /// nothing can be played without them. `former`: the version before this one, whose axis it keeps.
    public init(_ bytes: [UInt8], address: StreamAddress, following former: MPDDocument? = nil) throws(StreamFault) {
        try self.init(XMLTree(bytes, sizeLimit: Self.sizeLimit).root, address: address, following: former)
    }

    init(_ root: XMLElement, address: StreamAddress, following former: MPDDocument?) throws(StreamFault) {
        guard root.isNamed("MPD") else {
            let name = root.name
            throw StreamFault(name.lowercased() == "html" ? .webPage : .notAManifest(name))
        }
        self.root = root
        self.address = address
        isDynamic = root.attribute("type") == "dynamic"
        isOnClock = isDynamic || former?.isOnClock ?? false
        id = root.attribute("id").map { DisplayText.singleLine($0, limit: 200) }
        publishTime = try? root.date("publishTime")  // It orders versions only; without it every one is taken.
        availabilityStart = try root.date("availabilityStartTime")
        availabilityEnd = try root.date("availabilityEndTime")
        duration = try root.duration("mediaPresentationDuration")
        minimumUpdatePeriod = try root.duration("minimumUpdatePeriod")
        minBufferTime = try root.duration("minBufferTime")
        timeShiftBufferDepth = try root.duration("timeShiftBufferDepth")
        suggestedDelay = try root.duration("suggestedPresentationDelay")
        maxSegmentDuration = try root.duration("maxSegmentDuration")
        periods = try MPDPeriod.list(root, isDynamic: isDynamic, isOnClock: isOnClock, duration: duration)
        guard !periods.isEmpty else { throw StreamFault(.nothingToPlay) }
    }

    /// This version with the changes of a patch (MPD Patch) at its own address. Throws `.updateMismatch` where the patch is for another
    /// version or does not fit, and the errors of the changed manifest: then the whole manifest must be read again.
    public func patched(by bytes: [UInt8]) throws(StreamFault) -> MPDDocument {
        let patch = try XMLTree(bytes, sizeLimit: Self.sizeLimit).root
        guard patch.isNamed("Patch"), patch.attribute("mpdId") == root.attribute("id"),
            let original = patch.attribute("originalPublishTime").flatMap({ MPDValue.date($0) }), original == publishTime
        else { throw StreamFault(.updateMismatch) }
        var tree = root.tree
        try tree.apply(patch, sizeLimit: Self.sizeLimit)
        return try MPDDocument(tree.root, address: address, following: self)
    }

    /// The title that the manifest gives itself; nil for none.
    public var title: String? {
        let text = root.child("ProgramInformation")?.child("Title")?.text ?? ""
        return text.isEmpty ? nil : DisplayText.singleLine(text, limit: 200)
    }
}

/// A period as it is written, and its place on the axis.
struct MPDPeriod: Sendable {
    let element: XMLElement
    /// Unique in the document: the written one, else a number.
    let id: String
    let start: Ticks
    /// nil where it is not known.
    let end: Ticks?

    /// The periods that have a start. Those without one are announced early and wait for a later version; empty stretches and remote
    /// elements that resolve to nothing are left out.
    static func list(
        _ root: XMLElement, isDynamic: Bool, isOnClock: Bool, duration: Ticks?
    ) throws(StreamFault) -> [MPDPeriod] {
        let elements = root.children("Period", limit: MPDDocument.periodLimit + 1).filter { !$0.resolvesToNothing }
        guard elements.count <= MPDDocument.periodLimit else { throw StreamFault(.tooMany("periods")) }
        var starts: [Ticks?] = [], next: Ticks? = isDynamic && elements.count > 1 ? nil : .zero
        for element in elements {
            let start = try element.duration("start") ?? next
            starts.append(start)
            next = nil
            if let start, let duration = try element.duration("duration") { next = start + duration }
        }
        var periods: [MPDPeriod] = [], ids: Set<String> = []
        for (place, element) in elements.enumerated() {
            guard let start = starts[place] else { continue }
            var end = try element.duration("duration").map { start + $0 }
            // The next one's start has the last word.
            if let following = starts.dropFirst(place + 1).compactMap({ $0 }).first {
                end = end.map { min($0, following) } ?? following
            }
            // The length of the whole is where the last one ends; some write the length of the only one.
            if end == nil, let duration, !isDynamic || duration > start {
                end = duration <= start && elements.count == 1 ? start + duration : duration
            }
            if let end, end <= start { continue }
            let written = element.attribute("id").map { DisplayText.singleLine($0, limit: 200) } ?? ""
            let isTaken = written.isEmpty || !ids.insert(written).inserted
            // The axis of one that was always static begins with its first period.
            let zero = isOnClock ? Ticks.zero : starts.lazy.compactMap { $0 }.first ?? .zero
            periods.append(
                MPDPeriod(
                    element: element, id: isTaken ? "#\(place + 1)" : written, start: isOnClock ? start : start - zero,
                    end: isOnClock ? end : end.map { $0 - zero }))
        }
        return periods
    }
}

extension XMLElement {
    /// A remote element (`xlink`) that is to be left out, or whose content lies elsewhere: nothing is fetched for it.
    var resolvesToNothing: Bool {
        guard let link = attribute("href") else { return false }
        return link == "urn:mpeg:dash:resolve-to-zero:2013" || children.isEmpty
    }
}
