import AetherCore

/// The reading of a list of variants.
struct HLSVariantReading {
    var list: HLSVariantList
    private var lines: HLSLines
    private var variables: HLSVariables
    private var pending: (attributes: HLSAttributes, line: Int)?
    /// EXT-X-STREAM-INF that has a group of which no member has been read is judged at the end.
    private static let limit = 2000

    init(_ bytes: [UInt8], address: StreamAddress) throws(StreamFault) {
        lines = try HLSLines(bytes)
        list = HLSVariantList(address: address)
        variables = HLSVariables(address: address, inherited: [:])
    }

    mutating func run() throws(StreamFault) {
        while let line = try lines.next() {
            switch line {
            case .tag(let tag, let value):
                let attributes = HLSAttributes(lines.bytes, value, tag: tag, line: lines.number, variables: variables)
                try take(tag, attributes, value)
            case .address(let range): try takeAddress(range)
            }
        }
        if pending != nil { throw StreamFault(.cutOff) }
        guard !list.variants.isEmpty || !list.media.isEmpty else { throw StreamFault(.nothingToPlay) }
        list.variables = variables.values
    }

    private mutating func take(_ tag: HLSTag, _ attributes: HLSAttributes, _ value: Range<Int>) throws(StreamFault) {
        switch tag {
        case .streamInf: pending = (attributes, lines.number)
        case .iFrameStreamInf:
            try appendStills(attributes, to: \.keyFrames)
        case .imageStreamInf:
            try appendStills(attributes, to: \.images)
        case .media: try takeMedia(attributes)
        case .independentSegments: list.isIndependent = true
        case .start: list.startPoint = Presentation.StartPoint(attributes) ?? list.startPoint
        case .define: try variables.define(attributes, line: lines.number)
        case .sessionData: try takeDatum(attributes)
        case .sessionKey:
            guard list.keys.count < Self.limit else { throw StreamFault(.tooMany("keys"), line: lines.number) }
            // The segments say themselves what they are encrypted with.
            let key = lenient { () throws(StreamFault) in
                try SegmentEncryption(attributes, format: try attributes.string("KEYFORMAT") ?? "identity")
            }
            if let key { list.keys.append(key) }
        case .contentSteering: list.steering = lenient { () throws(StreamFault) in try steering(attributes) } ?? list.steering
        case .version: list.version = HLSNumber.integer(lines.bytes, value) ?? list.version
        default: break
        }
    }

    private mutating func takeAddress(_ range: Range<Int>) throws(StreamFault) {
        // An address without EXT-X-STREAM-INF before it is no variant.
        guard let (attributes, _) = pending else { return }
        pending = nil
        var bytes = lines.bytes[range]
        if HLSVariables.mayRefer(bytes) { bytes = try variables.expanded(bytes, line: lines.number)[...] }
        try append(try entry(attributes, written: String(decoding: bytes, as: UTF8.self)), to: \.variants)
    }

    private mutating func append(
        _ entry: HLSVariantList.Entry, to place: WritableKeyPath<HLSVariantList, [HLSVariantList.Entry]>
    ) throws(StreamFault) {
        guard list[keyPath: place].count < Self.limit else { throw StreamFault(.tooMany("variants"), line: lines.number) }
        list[keyPath: place].append(entry)
    }

    /// Previews are optional: an entry that makes no sense is left out.
    private mutating func appendStills(
        _ attributes: HLSAttributes, to place: WritableKeyPath<HLSVariantList, [HLSVariantList.Entry]>
    ) throws(StreamFault) {
        let entry: HLSVariantList.Entry
        do throws(StreamFault) {
            entry = try self.entry(attributes, written: try attributes.required("URI"))
        } catch {
            return
        }
        try append(entry, to: place)
    }

    private func steering(_ attributes: HLSAttributes) throws(StreamFault) -> Presentation.Steering? {
        let pathway = try attributes.label("PATHWAY-ID") ?? "."
        return list.address.resolved(try attributes.required("SERVER-URI")).map {
            Presentation.Steering(address: $0, pathway: pathway)
        }
    }

    /// Bits a second; fractions, which some packagers write, are left out.
    private func rate(_ name: StaticString, _ attributes: HLSAttributes) -> Int64? {
        lenient { () throws(StreamFault) in try attributes.integer(name) }
            ?? lenient { () throws(StreamFault) in try attributes.nanoseconds(name).map { $0 / 1_000_000_000 } }
    }

    private func entry(_ attributes: HLSAttributes, written: String) throws(StreamFault) -> HLSVariantList.Entry {
        guard let address = list.address.resolved(written) else { throw StreamFault(.badAddress, line: lines.number) }
        // Required by 4.4.6.2; playlists of the field are without it, and play.
        var entry = HLSVariantList.Entry(
            address: address, peakBitRate: rate("BANDWIDTH", attributes) ?? 0,
            averageBitRate: rate("AVERAGE-BANDWIDTH", attributes))
        entry.written = written
        entry.score = lenient { () throws(StreamFault) in try attributes.nanoseconds("SCORE") }.map { $0 / 1000 }
        entry.codecs = CodecName.list(try attributes.string("CODECS") ?? "")
        // "dvh1.08.07/db4h": the brands behind the slash say how it is compatible.
        entry.supplementalCodecs = CodecName.list(try attributes.string("SUPPLEMENTAL-CODECS") ?? "").map {
            CodecName($0.text.prefix { $0 != "/" })
        }
        entry.size = lenient { () throws(StreamFault) in try attributes.size("RESOLUTION") }
        if let rate = lenient({ () throws(StreamFault) in try attributes.nanoseconds("FRAME-RATE") }) {
            entry.frameRate = StatedRate(millihertz: Int((rate + 500_000) / 1_000_000))
        }
        entry.range = try attributes.string("VIDEO-RANGE").flatMap { StatedRange(rawValue: $0) }
        entry.audio = try attributes.string("AUDIO")
        entry.video = try attributes.string("VIDEO")
        entry.subtitles = try attributes.string("SUBTITLES")
        entry.captions = try attributes.string("CLOSED-CAPTIONS")
        if entry.captions == "NONE" { (entry.captions, entry.hasNoCaptions) = (nil, true) }
        entry.pathway = try attributes.label("PATHWAY-ID")
        entry.stableID = try attributes.label("STABLE-VARIANT-ID")
        entry.requiredLayouts = (try attributes.string("REQ-VIDEO-LAYOUT") ?? "").split { $0 == "," || $0 == "/" }.prefix(16).map
        {
            DisplayText.singleLine(String($0), limit: 40)
        }
        entry.name = try attributes.label("NAME")
        return entry
    }

    private mutating func takeMedia(_ attributes: HLSAttributes) throws(StreamFault) {
        guard list.media.count < Self.limit else { throw StreamFault(.tooMany("renditions"), line: lines.number) }
        // An unknown type is left out (6.3.1).
        guard let kind = HLSVariantList.Media.Kind(rawValue: try attributes.required("TYPE")) else { return }
        // No variant can name one without a group.
        guard let group = try attributes.string("GROUP-ID") else { return }
        var media = HLSVariantList.Media(kind: kind, group: group, name: try attributes.label("NAME") ?? "")
        // An empty address is none: then the variant's own segments have it.
        if kind != .closedCaptions, let written = try attributes.string("URI"), !written.isEmpty {
            (media.address, media.written) = (try attributes.address(), written)
        }
        media.language = try attributes.label("LANGUAGE")
        media.associatedLanguage = try attributes.label("ASSOC-LANGUAGE")
        media.isDefault = attributes.isYes("DEFAULT")
        media.isAutoselected = attributes.isYes("AUTOSELECT") || media.isDefault
        media.isForced = attributes.isYes("FORCED")
        media.channels = try attributes.string("CHANNELS").flatMap { StatedChannels($0) }
        media.bitDepth = lenient { () throws(StreamFault) in try attributes.integer("BIT-DEPTH") }
        media.sampleRate = lenient { () throws(StreamFault) in try attributes.integer("SAMPLE-RATE") }
        media.characteristics = (try attributes.string("CHARACTERISTICS") ?? "").split(separator: ",").prefix(32).map {
            DisplayText.singleLine(String($0), limit: 100)
        }
        media.captionChannel = try attributes.label("INSTREAM-ID")
        media.stableID = try attributes.label("STABLE-RENDITION-ID")
        list.media.append(media)
    }

    private mutating func takeDatum(_ attributes: HLSAttributes) throws(StreamFault) {
        guard list.data.count < Self.limit else { throw StreamFault(.tooMany("session data"), line: lines.number) }
        if let datum = lenient({ () throws(StreamFault) in try sessionDatum(attributes) }) { list.data.append(datum) }
    }

    private func sessionDatum(_ attributes: HLSAttributes) throws(StreamFault) -> Presentation.Datum? {
        let id = DisplayText.singleLine(try attributes.required("DATA-ID"), limit: 200)
        let value = try attributes.string("VALUE").map { DisplayText.singleLine($0) }
        guard value != nil || attributes.has("URI") else { return nil }
        return Presentation.Datum(
            id: id, value: value, address: attributes.has("URI") ? try attributes.address() : nil,
            language: try attributes.label("LANGUAGE"))
    }
}

extension HLSVariantList {
    init(_ bytes: [UInt8], address: StreamAddress) throws(StreamFault) {
        var reading = try HLSVariantReading(bytes, address: address)
        try reading.run()
        self = reading.list
    }
}
