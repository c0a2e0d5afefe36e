import AetherCore

/// Checks the text of a playlist against the rules for its tags: those that must hold, and those that should. Pure; reading a playlist for
/// playback forgives more.
public struct PlaylistCheck {
    /// The breaches that were found.
    public private(set) var findings: [ValidationFinding] = []
    private let subject: String
    private let bytes: [UInt8]
    private var versions: [Int64] = []
    /// The version that what stands in it needs, and why.
    private var needed: (version: Int64, reason: String) = (1, "")
    private var target: Int64?
    private var segments = 0, hasInf = false, infLine = 0
    private var isVariants: Bool?
    private var isKeyFrames = false, isVOD = false, isEnded = false
    private var clock: Int64?
    private var inf: Int64 = 0
    private var durations: [(line: Int, duration: Int64)] = []
    private var groups: Set<String> = []
    private var names: Set<String> = [], defaults: Set<String> = []
    private var wanted: [(line: Int, group: String)] = []
    private var starts: [String: Int64] = [:]
    private var hasStreamInf = false

    /// Checks a playlist. `subject` is where it came from.
    public init(_ bytes: [UInt8], subject: StreamAddress) {
        (self.bytes, self.subject) = (bytes, subject.text)
        do throws(StreamFault) {
            // Playlists that cannot be played at all.
            _ = try HLSPlaylist(bytes, address: subject)
        } catch {
            if error.kind != .wrongKind { add(.unreadable, line: error.line, error.description) }
        }
        do throws(StreamFault) {
            var lines = try HLSLines(bytes)
            while let line = try lines.next() {
                switch line {
                case .tag(let tag, let value): take(tag, value, lines.number)
                case .address: takeAddress(lines.number)
                }
            }
            close()
        } catch {
            if findings.isEmpty { add(.unreadable, line: error.line, error.description) }
        }
    }

    private mutating func add(_ rule: ValidationRule, line: Int? = nil, _ detail: String) {
        findings.append(ValidationFinding(rule, subject, line: line, detail))
    }

    private mutating func need(_ version: Int64, _ reason: String) {
        if version > needed.version { needed = (version, reason) }
    }

    private mutating func takeAddress(_ line: Int) {
        if hasStreamInf {
            hasStreamInf = false
            return
        }
        guard isVariants != true else {
            return add(.extinfMissing, line: line, translated("an address without EXT-X-STREAM-INF"))
        }
        guard hasInf else { return add(.extinfMissing, line: line, translated("an address without EXTINF")) }
        durations.append((infLine, inf))
        hasInf = false
        segments += 1
    }

    private mutating func take(_ tag: HLSTag, _ value: Range<Int>, _ line: Int) {
        if let belongs = tag.belongsToVariants {
            if let isVariants, isVariants != belongs {
                add(
                    .wrongPlaylistTags, line: line,
                    isVariants
                        ? translated("\(tag.rawValue) does not belong into a list of variants")
                        : translated("\(tag.rawValue) does not belong into a list of segments"))
            }
            isVariants = isVariants ?? belongs
        }
        let attributes = HLSAttributes(
            bytes, value, tag: tag, line: line, variables: HLSVariables(address: StreamAddress(filePath: "/"), inherited: [:]))
        func text(_ name: StaticString) -> String? {
            // A variable that is not known here says nothing.
            (try? attributes.string(name)) ?? nil
        }
        switch tag {
        case .version:
            versions.append(HLSNumber.integer(bytes, value) ?? 0)
            if versions.count == 2 { add(.versionRepeated, line: line, translated("EXT-X-VERSION appears twice")) }
        case .targetDuration: target = HLSNumber.integer(bytes, value)
        case .mediaSequence, .discontinuitySequence:
            if segments > 0 {
                add(.sequenceBehindSegments, line: line, translated("\(tag.rawValue) comes after the first segment"))
            }
        case .playlistType: isVOD = String(decoding: bytes[value], as: UTF8.self) == "VOD"
        case .endList: isEnded = true
        case .iFramesOnly:
            isKeyFrames = true
            need(4, "EXT-X-I-FRAMES-ONLY")
        case .byteRange: need(4, "EXT-X-BYTERANGE")
        case .map: need(isKeyFrames ? 5 : 6, "EXT-X-MAP")
        case .define: need(8, "EXT-X-DEFINE")
        case .gap: need(8, "EXT-X-GAP")
        case .skip: need(9, "EXT-X-SKIP")
        case .key:
            if attributes.has("IV") { need(2, translated("the IV of EXT-X-KEY")) }
            if attributes.has("KEYFORMAT") { need(5, translated("the KEYFORMAT of EXT-X-KEY")) }
        case .inf:
            let comma = bytes[value].firstIndex(of: UInt8(ascii: ",")) ?? value.upperBound
            (inf, hasInf, infLine) = (HLSNumber.nanoseconds(bytes, value.lowerBound..<comma) ?? 0, true, line)
            if bytes[value.lowerBound..<comma].contains(UInt8(ascii: ".")) { need(3, translated("a decimal in EXTINF")) }
        case .programDateTime:
            let moment = HLSNumber.date(bytes, value)
            if let clock, let moment, moment < clock {
                add(.dateGoesBack, line: line, translated("EXT-X-PROGRAM-DATE-TIME goes back"))
            }
            clock = moment ?? clock
        case .discontinuity: clock = nil
        case .dateRange: takeDates(text("ID"), text("START-DATE"), attributes, line)
        case .media: takeMedia(text, attributes, line)
        case .streamInf: takeStream(text, line)
        default: break
        }
    }

    private mutating func takeDates(_ id: String?, _ start: String?, _ attributes: HLSAttributes, _ line: Int) {
        guard let id, !id.isEmpty else { return add(.dateRangeIncomplete, line: line, translated("EXT-X-DATERANGE has no ID")) }
        // A date that cannot be read is found as one that is missing.
        let begin = (try? attributes.date("START-DATE")) ?? nil
        if begin == nil, starts[id] == nil {
            add(.dateRangeIncomplete, line: line, translated("EXT-X-DATERANGE ‘\(id)’ has no good START-DATE"))
        }
        if let begin { starts[id] = begin }
        if let begin, let end = (try? attributes.date("END-DATE")) ?? nil, end < begin {
            add(.dateRangeIncomplete, line: line, translated("EXT-X-DATERANGE ‘\(id)’ ends before it begins"))
        }
    }

    private mutating func takeMedia(_ text: (StaticString) -> String?, _ attributes: HLSAttributes, _ line: Int) {
        guard let kind = text("TYPE"), let group = text("GROUP-ID") else { return }
        let key = "\(kind)/\(group)"
        groups.insert(key)
        if let name = text("NAME"), !names.insert("\(key)/\(name)").inserted {
            add(.nameRepeated, line: line, translated("the name ‘\(name)’ stands in the group ‘\(group)’ a second time"))
        }
        if attributes.isYes("DEFAULT"), !defaults.insert(key).inserted {
            add(.defaultRepeated, line: line, translated("the group ‘\(group)’ has a second default"))
        }
    }

    private mutating func takeStream(_ text: (StaticString) -> String?, _ line: Int) {
        hasStreamInf = true
        if text("BANDWIDTH").flatMap({ Int64($0) }).map({ $0 > 0 }) != true {
            add(.bandwidthMissing, line: line, translated("EXT-X-STREAM-INF has no good BANDWIDTH"))
        }
        let codecs = text("CODECS").map { CodecName.list($0) } ?? []
        if codecs.isEmpty { add(.codecsMissing, line: line, translated("EXT-X-STREAM-INF has no CODECS")) }
        if codecs.contains(where: { $0.kind == .video }), text("RESOLUTION") == nil {
            add(.resolutionMissing, line: line, translated("EXT-X-STREAM-INF with video has no RESOLUTION"))
        }
        for (kind, name) in [("AUDIO", text("AUDIO")), ("VIDEO", text("VIDEO")), ("SUBTITLES", text("SUBTITLES"))] {
            if let name { wanted.append((line, "\(kind)/\(name)")) }
        }
        if let captions = text("CLOSED-CAPTIONS"), captions != "NONE" { wanted.append((line, "CLOSED-CAPTIONS/\(captions)")) }
    }

    private mutating func close() {
        for want in wanted where !groups.contains(want.group) {
            add(.groupUnknown, line: want.line, translated("there is no EXT-X-MEDIA of the group \(want.group)"))
        }
        if needed.version > versions.first ?? 1 {
            add(
                .versionTooLow,
                translated("\(needed.reason) needs EXT-X-VERSION \(needed.version), and it is \(versions.first ?? 1)"))
        }
        guard isVariants != true, segments > 0 else { return }
        if isVOD, !isEnded { add(.endMissing, translated("the list is VOD and has no EXT-X-ENDLIST")) }
        guard let target else {
            return add(.targetDurationMissing, translated("the list of segments has no EXT-X-TARGETDURATION"))
        }
        for (line, duration) in durations where (duration &+ 500_000_000) / 1_000_000_000 > target {
            add(
                .targetDurationExceeded, line: line,
                translated("EXTINF of \(PackageList.seconds(duration)) s rounds to more than \(target)"))
        }
    }
}
