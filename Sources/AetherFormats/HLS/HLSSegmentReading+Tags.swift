import AetherCore

extension HLSSegmentReading {
    /// A tag other than EXTINF.
    mutating func take(_ tag: HLSTag, _ value: Range<Int>) throws(StreamFault) {
        switch tag {
        case .discontinuity:
            stretch.continuity += 1
            marks.insert(.discontinuity)
        case .gap: marks.insert(.gap)
        case .byteRange:
            guard let part = HLSNumber.part(lines.bytes, value) else { throw number(tag) }
            self.part = part
        case .programDateTime:
            // One that makes no sense says nothing: the moments of other segments tell this one's, too.
            clock = HLSNumber.date(lines.bytes, value) ?? clock
        case .bitRate:
            // It only advises, as the tags below do that are read leniently.
            if let rate = HLSNumber.integer(lines.bytes, value), rate <= 1 << 40 { stretch.bitRate = rate * 1000 }
        case .key:
            if let lastKey, lines.areSame(lastKey, value) { return }
            try takeKey(attributes(tag, value))
            lastKey = value
        case .map: try takeMap(attributes(tag, value))
        case .part: try takePart(attributes(tag, value))
        case .dateRange: takeDateRange(attributes(tag, value))
        default: try takeHead(tag, value)
        }
    }

    /// Tags that speak of the whole list.
    private mutating func takeHead(_ tag: HLSTag, _ value: Range<Int>) throws(StreamFault) {
        switch tag {
        // They only advise: one that makes no sense says nothing, as a length of 0 does.
        case .version: list.version = HLSNumber.integer(lines.bytes, value) ?? list.version
        case .targetDuration: list.targetDuration = HLSNumber.nanoseconds(lines.bytes, value) ?? list.targetDuration
        case .mediaSequence:
            // It has to come before the first segment; later it would rename those that were read.
            let first = try integer(tag, value)
            guard list.segments.count == 0 else { return }
            list.segments = SegmentList(base: list.address, timescale: Ticks.nanoseconds, first: first)
            list.segments.reserve(min(lines.bytes.count / 48, SegmentList.limit), bytes: lines.bytes.count / 2)
        case .discontinuitySequence:
            let first = try integer(tag, value)
            guard list.segments.count == 0 else { return }
            // A discontinuity tag may stand before it.
            stretch.continuity += first - list.discontinuitySequence
            list.discontinuitySequence = first
        case .endList: list.isEnded = true
        case .playlistType:
            let word = String(decoding: lines.bytes[value].prefix(8), as: UTF8.self)
            if word == "VOD" { list.kind = .vod }
            if word == "EVENT" { list.kind = .event }
        case .iFramesOnly: list.isKeyFramesOnly = true
        case .imagesOnly: list.isImagesOnly = true
        case .independentSegments: list.isIndependent = true
        case .start: list.startPoint = Presentation.StartPoint(attributes(tag, value)) ?? list.startPoint
        case .define:
            try variables.define(attributes(tag, value), line: lines.number)
            (hasVariables, lastKey) = (true, nil)
        case .partInf:
            list.partTarget = lenient { () throws(StreamFault) in try attributes(tag, value).nanoseconds("PART-TARGET") }
        case .serverControl: takeServerControl(attributes(tag, value))
        case .skip: try takeSkip(attributes(tag, value))
        case .preloadHint:
            let hint = lenient { () throws(StreamFault) in try preloadHint(attributes(tag, value)) }
            if let hint, list.preloadHints.count < 16 { list.preloadHints.append(hint) }
        case .renditionReport:
            guard list.renditionReports.count < Self.markLimit else { throw StreamFault(.tooMany("reports"), line: lines.number) }
            let report = lenient { () throws(StreamFault) in try renditionReport(attributes(tag, value)) }
            if let report { list.renditionReports.append(report) }
        case .tiles: list.tiles = list.tiles ?? lenient { () throws(StreamFault) in try tileLayout(attributes(tag, value)) }
        default: break
        }
    }

    private func attributes(_ tag: HLSTag, _ value: Range<Int>) -> HLSAttributes {
        HLSAttributes(lines.bytes, value, tag: tag, line: lines.number, variables: variables)
    }

    private func integer(_ tag: HLSTag, _ value: Range<Int>) throws(StreamFault) -> Int64 {
        guard let number = HLSNumber.integer(lines.bytes, value) else { throw number(tag) }
        return number
    }

    private func number(_ tag: HLSTag) -> StreamFault { StreamFault(.number(tag.rawValue), line: lines.number) }

    // MARK: - Keys and maps

    private mutating func takeKey(_ attributes: HLSAttributes) throws(StreamFault) {
        keyCount += 1
        stretch.isKeyStated = true
        guard keyCount <= Self.keyLimit else { throw StreamFault(.tooMany("keys"), line: lines.number) }
        let format = try attributes.string("KEYFORMAT") ?? "identity"
        if let encryption = try SegmentEncryption(attributes, format: format) {
            // Keys of several formats stand side by side; each replaces that of its own format (4.4.4.4).
            if keys.count == 1, keys[0].format == format {
                keys[0].encryption = encryption
                if case .protected = encryption {} else { return stretch.encryption = encryption }
            } else {
                keys.removeAll { $0.format == format }
                guard keys.count < 16 else { throw StreamFault(.tooMany("keys"), line: lines.number) }
                keys.append((format, encryption))
            }
        } else {
            keys = []
        }
        let usable = keys.first { if case .protected = $0.encryption { false } else { true } }
        stretch.encryption = (usable ?? keys.first)?.encryption
    }

    private mutating func takeMap(_ attributes: HLSAttributes) throws(StreamFault) {
        keyCount += 1
        guard keyCount <= Self.keyLimit else { throw StreamFault(.tooMany("init sections"), line: lines.number) }
        // Without an address it names none. Packagers write that beside MPEG-TS, which needs none.
        guard attributes.has("URI") else { return }
        var range: ByteRange?
        if let part = try attributes.part("BYTERANGE") {
            guard let made = ByteRange(offset: part.offset ?? 0, length: part.length) else { throw attributes.bad("BYTERANGE") }
            range = made
        }
        stretch.map = InitSection(address: try attributes.address(), range: range, encryption: stretch.encryption)
    }

    // MARK: - Parts

    private mutating func takePart(_ attributes: HLSAttributes) throws(StreamFault) {
        partCount += 1
        guard partCount <= Self.partLimit else { throw StreamFault(.tooMany("parts"), line: lines.number) }
        let address = try attributes.address()
        guard let duration = try attributes.nanoseconds("DURATION") else { throw attributes.bad("DURATION") }
        var range: ByteRange?
        if let part = try attributes.part("BYTERANGE") {
            let follows = previousPart.flatMap { $0.address == address ? $0.end : nil } ?? 0
            guard let made = ByteRange(offset: part.offset ?? follows, length: part.length) else {
                throw attributes.bad("BYTERANGE")
            }
            range = made
            previousPart = (address, made.end)
        }
        parts.append(
            PartialSegment(
                address: address, range: range, duration: duration, isIndependent: attributes.isYes("INDEPENDENT"),
                isGap: attributes.isYes("GAP")))
    }

    private func preloadHint(_ attributes: HLSAttributes) throws(StreamFault) -> HLSSegmentList.PreloadHint? {
        let type = try attributes.required("TYPE")
        guard type == "PART" || type == "MAP" else { return nil }
        return HLSSegmentList.PreloadHint(
            isMap: type == "MAP", address: try attributes.address(), offset: try attributes.integer("BYTERANGE-START") ?? 0,
            length: try attributes.integer("BYTERANGE-LENGTH"))
    }

    private func renditionReport(_ attributes: HLSAttributes) throws(StreamFault) -> HLSSegmentList.RenditionReport {
        HLSSegmentList.RenditionReport(
            address: try attributes.address(), lastNumber: try attributes.integer("LAST-MSN"),
            lastPart: try attributes.integer("LAST-PART"))
    }

    private mutating func takeServerControl(_ attributes: HLSAttributes) {
        func length(_ name: StaticString) -> Int64? { lenient { () throws(StreamFault) in try attributes.nanoseconds(name) } }
        var control = HLSSegmentList.ServerControl()
        control.skipUntil = length("CAN-SKIP-UNTIL")
        control.skipsDateRanges = attributes.isYes("CAN-SKIP-DATERANGES")
        control.holdBack = length("HOLD-BACK")
        control.partHoldBack = length("PART-HOLD-BACK")
        control.canBlockReload = attributes.isYes("CAN-BLOCK-RELOAD")
        list.serverControl = control
    }

    private mutating func takeSkip(_ attributes: HLSAttributes) throws(StreamFault) {
        guard let count = try attributes.integer("SKIPPED-SEGMENTS"), count <= SegmentList.limit else {
            throw attributes.bad("SKIPPED-SEGMENTS")
        }
        let removed = try attributes.string("RECENTLY-REMOVED-DATERANGES") ?? ""
        list.skip = HLSSegmentList.Skip(
            count: count,
            removedDateRanges: removed.split(separator: "\t").prefix(Self.markLimit).map { DisplayText.singleLine(String($0)) })
    }

    // MARK: - Marks

    /// A mark is worth no refusal: one that makes no sense is left out, and so are those beyond the limit.
    private mutating func takeDateRange(_ attributes: HLSAttributes) {
        let range: HLSDateRange?, place: Int?
        do throws(StreamFault) {
            let id = DisplayText.singleLine(try attributes.required("ID"))
            place = dateRangePlaces[id]
            // A second tag of the same name adds to the first (4.4.5.1).
            if let place {
                range = list.dateRanges[place]
            } else {
                range = try attributes.date("START-DATE").map { HLSDateRange(id: id, start: $0) }
            }
        } catch {
            return
        }
        guard var range else { return }
        range.take(attributes)
        if let place {
            list.dateRanges[place] = range
        } else if list.dateRanges.count < Self.markLimit {
            dateRangePlaces[range.id] = list.dateRanges.count
            list.dateRanges.append(range)
        }
    }

    private func tileLayout(_ attributes: HLSAttributes) throws(StreamFault) -> TileLayout? {
        guard let layout = try attributes.size("LAYOUT"), let duration = try attributes.nanoseconds("DURATION") else {
            return nil
        }
        return TileLayout(
            columns: layout.width, rows: layout.height, duration: Ticks(duration, timescale: Ticks.nanoseconds),
            size: try attributes.size("RESOLUTION"))
    }
}

extension HLSDateRange {
    /// Adds what a tag says; an attribute that makes no sense says nothing.
    fileprivate mutating func take(_ attributes: HLSAttributes) {
        if let name = lenient({ () throws(StreamFault) in try attributes.label("CLASS") }) { className = name }
        if let end = lenient({ () throws(StreamFault) in try attributes.date("END-DATE") }), end >= start {
            duration = end - start
        }
        if let length = lenient({ () throws(StreamFault) in try attributes.nanoseconds("DURATION") }) { duration = length }
        if let planned = lenient({ () throws(StreamFault) in try attributes.nanoseconds("PLANNED-DURATION") }) {
            plannedDuration = planned
        }
        if attributes.isYes("END-ON-NEXT") { endsOnNext = true }
        if let cue = lenient({ () throws(StreamFault) in try attributes.string("CUE") }) {
            self.cue = Set(cue.split(separator: ",").prefix(8).map(String.init))
        }
        let own = lenient { () throws(StreamFault) in try attributes.ownAttributes() } ?? [:]
        if self.attributes.isEmpty { self.attributes = own } else { self.attributes.merge(own) { $1 } }
    }
}

extension Presentation.StartPoint {
    /// EXT-X-START; nil for one that makes no sense, without which playing begins where it always does.
    init?(_ attributes: HLSAttributes) {
        let offset: Int64?
        do throws(StreamFault) {
            offset = try attributes.nanoseconds("TIME-OFFSET", isSigned: true)
        } catch {
            return nil
        }
        guard let offset else { return nil }
        self.init(offset: Ticks(offset, timescale: Ticks.nanoseconds), isPrecise: attributes.isYes("PRECISE"))
    }
}

extension SegmentEncryption {
    /// EXT-X-KEY or EXT-X-SESSION-KEY; nil for no encryption.
    init?(_ attributes: HLSAttributes, format: String) throws(StreamFault) {
        if attributes.isText("METHOD", "NONE") { return nil }
        guard attributes.has("METHOD") else { throw attributes.bad("METHOD") }
        if format != "identity", let system = ContentProtection(keyFormat: format) {
            self = .protected(system)
            return
        }
        let address = try attributes.address()
        if address.hasScheme("skd") {
            self = .protected(.fairPlay)
            return
        }
        let iv = try attributes.vector("IV")
        if attributes.isText("METHOD", "AES-128") {
            self = .whole(.aes128, key: address, iv: iv)
            return
        }
        let method = try attributes.required("METHOD")
        switch method {
        case "SAMPLE-AES": self = .samples(key: address, iv: iv, isCounter: false)
        case "SAMPLE-AES-CTR", "SAMPLE-AES-CENC": self = .samples(key: address, iv: iv, isCounter: true)
        default:
            // The longer keys are no part of RFC 8216bis, but of packagers that other players know, too.
            guard let cipher = SegmentCipher(rawValue: method) else {
                throw StreamFault(.encryption(method), line: attributes.line)
            }
            self = .whole(cipher, key: address, iv: iv)
        }
    }
}

extension ContentProtection {
    /// The system of a KEYFORMAT; nil for a key that is simply there.
    init?(keyFormat: String) {
        switch keyFormat.lowercased() {
        case "identity", "": return nil
        case "com.apple.streamingkeydelivery", "urn:uuid:94ce86fb-07ff-4f43-adb8-93d2fa968ca2": self = .fairPlay
        case "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "com.widevine": self = .widevine
        case "com.microsoft.playready", "urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95": self = .playReady
        default: self = .other
        }
    }
}
