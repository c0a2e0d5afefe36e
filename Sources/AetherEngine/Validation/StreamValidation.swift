public import AetherCore
public import AetherFormats
public import AetherMedia
public import AetherSources

/// Checks a source in segments against RFC 8216bis and CMAF: its playlists, and the media that they name. Blocks on files and servers until the
/// interrupt is raised.
public final class StreamValidation {
    private let interrupt: Interrupt
    private let keys: ContentKeys
    /// Segments of each rendition that are looked at, the first ones; nil: all.
    private let limit: Int?
    private let told: (String) -> Void
    private var report = ValidationReport()
    private var facts: [Rendition.ID: [SegmentFacts]] = [:]

    /// A check. `told` hears the rendition that is looked at, safe to display.
    public init(
        limit: Int? = nil, keys: ContentKeys = ContentKeys(), interrupt: Interrupt = Interrupt(),
        told: @escaping (String) -> Void = { _ in }
    ) {
        (self.limit, self.keys, self.interrupt, self.told) = (limit, keys, interrupt, told)
    }

    /// The faults of a source. Throws where the source cannot be opened, or is no manifest.
    public func run(_ location: MediaLocation, http: HTTPOptions = HTTPOptions()) throws(MediaError) -> ValidationReport {
        let input = try MediaInput(.location(location), http: http, interrupt: interrupt)
        guard let document = try StreamDocument(input, http: http) else {
            throw MediaError(
                .notMedia, "check", subject: location.displayName, reason: "it is neither an HLS playlist nor a DASH manifest")
        }
        let fetch = StreamFetch(document, interrupt: interrupt), isHLS = !MPDDocument.begins(document.bytes)
        if isHLS { take(PlaylistCheck(document.bytes, subject: document.address).findings) }
        let catalog: StreamCatalog
        do throws(MediaError) {
            catalog = try StreamCatalog(document, fetch: fetch, keys: keys, profile: .safe, time: SystemTime())
        } catch {
            // The reason is a finding already.
            if error.code == .notMedia, report.severity == .error { return report }
            throw error
        }
        for rendition in catalog.presentation.renditions { try check(rendition, catalog, isHLS: isHLS) }
        checkVariants(catalog)
        if isHLS { try checkRefresh(catalog) }
        return report
    }

    private func take(_ findings: [ValidationFinding]) { for finding in findings { report.take(finding) } }

    // MARK: - Renditions

    private func check(_ rendition: Rendition, _ catalog: StreamCatalog, isHLS: Bool) throws(MediaError) {
        told(DisplayText.singleLine(Redaction.shown(rendition.id), limit: 100))
        if isHLS, let address = rendition.addresses.first, address != catalog.presentation.playlistItself {
            do throws(IOReaderError) {
                let answer = try catalog.fetch.document(address), (bytes, final) = (answer.bytes, answer.address)
                take(PlaylistCheck(bytes, subject: final).findings)
            } catch {
                if error == .cancelled { throw MediaError(.interrupted, "check", subject: catalog.name) }
                return report.take(ValidationFinding(.segmentMissing, address.text, SegmentFailure.words(error)))
            }
        }
        let index: any SegmentIndex
        do throws(MediaError) {
            index = try catalog.segments(of: rendition.id)
        } catch {
            if error.code == .interrupted { throw error }
            return report.take(ValidationFinding(.unreadable, rendition.addresses.first?.text ?? rendition.id, "\(error)"))
        }
        let group = catalog.presentation.periods.flatMap(\.groups).first { $0.renditions.contains { $0.id == rendition.id } }
        // Segments that follow one another: behind one that could not be looked at, nothing is known of what should come.
        var runs: [[SegmentFacts]] = [[]]
        for number in index.numbers.prefix(limit ?? .max) {
            guard let segment = index.segment(number), !segment.isGap, !segment.isOpen,
                let facts = try facts(segment, group?.kind ?? .muxed, count: index.numbers.count, catalog)
            else {
                runs.append([])
                continue
            }
            runs[runs.count - 1].append(facts)
        }
        facts[rendition.id] = runs.flatMap { $0 }
        let isIndependent = catalog.presentation.isIndependent || catalog.playlists[rendition.id]?.list.isIndependent == true
        if group?.kind == .keyFrames || group?.kind == .image { return }
        for run in runs { take(MediaCheck.findings(run, isIndependent: isIndependent)) }
    }

    private func facts(
        _ segment: Segment, _ kind: Group.Kind, count: Int, _ catalog: StreamCatalog
    ) throws(MediaError) -> SegmentFacts? {
        let subject = segment.address.text, bytes: [UInt8], map: [UInt8]
        do throws(IOReaderError) {
            map =
                try segment.map.map { section throws(IOReaderError) in
                    try self.bytes(SegmentPiece(section, before: segment), catalog)
                } ?? []
            bytes = try self.bytes(SegmentPiece(segment), catalog)
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "check", subject: catalog.name) }
            report.take(ValidationFinding(.segmentMissing, subject, SegmentFailure.words(error)))
            return nil
        }
        var facts = SegmentFacts(
            subject, duration: segment.duration.span.nanoseconds, continuity: segment.continuity, size: Int64(bytes.count),
            streams: [])
        if kind == .text {
            take(MediaCheck.findings(text: bytes, segment, count: count))
            return facts
        }
        if kind == .image { return facts }
        if map.isEmpty, PackageName.ending(bytes, kind: .video, written: "").hasPrefix("m4"), !bytes.hasInitSection {
            report.take(ValidationFinding(.initMissing, subject, translated("a fragment of MP4 without EXT-X-MAP")))
            return facts
        }
        do throws(MediaError) {
            facts.streams = try streams(map + bytes, segment, catalog)
        } catch {
            if error.code == .interrupted { throw error }
            report.take(ValidationFinding(.mediaUnreadable, subject, "\(error)"))
            return nil
        }
        return facts
    }

    /// All bytes of a file, deciphered; 256 MB at most.
    private func bytes(_ piece: SegmentPiece, _ catalog: StreamCatalog) throws(IOReaderError) -> [UInt8] {
        if piece.number == nil, let map = inits[piece.address], map.range == piece.range { return map.bytes }
        let reader = try catalog.fetch.reader(
            piece.address, as: piece.number == nil ? .small : .media, from: piece.offset, to: piece.range?.end)
        let file = SegmentFile(piece.address, reader)
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.close()
        }
        try file.move(to: piece.offset)
        let whole = SegmentBytes(file, length: piece.range?.length), limit = 256 << 20
        guard let cipher = piece.cipher else {
            let bytes = try whole.bytes(limit: limit)
            if piece.number == nil { inits[piece.address] = (piece.range, bytes) }
            return bytes
        }
        return try cipher.clear(whole, catalog.fetch).bytes(limit: limit)
    }
    private var inits: [StreamAddress: (range: ByteRange?, bytes: [UInt8])] = [:]

    private func streams(
        _ bytes: [UInt8], _ segment: Segment, _ catalog: StreamCatalog
    ) throws(MediaError) -> [SegmentFacts.Stream] {
        var options = OpenOptions()
        options.segments = .unknown
        let clear = try catalog.clear(MemoryReader(bytes), segment, options)
        var demuxer = try Demuxer(
            .reader(clear.reader, name: segment.address.text), options: clear.options, interrupt: interrupt)
        let infos = demuxer.info.streams.filter { $0.kind == .video || $0.kind == .audio }
        var found: [Int: SegmentFacts.Stream] = [:]
        reading: while true {
            do throws(MediaError) {
                let packet = try demuxer.read(epoch: Epoch()), number = packet.stream.number
                guard let info = infos.first(where: { $0.index == number }), let time = packet.pts ?? packet.dts else { continue }
                let step = packet.duration?.nanoseconds ?? 0, start = time.nanoseconds, end = start &+ step
                guard var known = found[number] else {
                    let size = info.parameters.size.flatMap { StatedSize(width: $0.width, height: $0.height) }
                    found[number] = SegmentFacts.Stream(
                        isVideo: info.kind == .video, codec: Self.codec(info.codecName), size: info.kind == .video ? size : nil,
                        start: start,
                        end: end, step: step, beginsWithKey: packet.isKey)
                    continue
                }
                (known.start, known.end, known.step) = (min(known.start, start), max(known.end, end), max(known.step, step))
                found[number] = known
            } catch {
                if error.code == .interrupted { throw error }
                break reading
            }
        }
        return infos.compactMap { found[$0.index] }
    }

    private static func codec(_ name: String) -> String {
        [
            "h264": "avc1", "hevc": "hvc1", "av1": "av01", "vp9": "vp09", "vp8": "vp08", "vvc": "vvc1", "aac": "mp4a",
            "mp3": "mp4a",
            "ac3": "ac-3", "eac3": "ec-3", "alac": "alac", "flac": "flac", "opus": "opus",
        ][name] ?? ""
    }

    // MARK: - Variants and broadcasts

    private func checkVariants(_ catalog: StreamCatalog) {
        let presentation = catalog.presentation, groups = presentation.periods.flatMap(\.groups)
        for variant in presentation.variants {
            let audio = groups.first {
                $0.kind == .audio && $0.set == variant.audioSet && variant.audioSet != nil && !$0.renditions.isEmpty
            }
            take(
                MediaCheck.findings(
                    variant, facts[variant.rendition] ?? [], audio: audio?.renditions.first.flatMap { facts[$0.id] } ?? [],
                    subject: presentation.rendition(variant.rendition)?.addresses.first?.text ?? variant.id))
        }
        for group in groups where group.kind == .video || group.kind == .muxed {
            let lists = group.renditions.compactMap { rendition in
                presentation.rendition(rendition.id)?.index.map {
                    (subject: rendition.addresses.first?.text ?? rendition.id, index: $0)
                }
            }
            take(MediaCheck.alignment(lists))
            let targets = group.renditions.compactMap { catalog.playlists[$0.id]?.list.targetDuration }
            if let least = targets.min(), let most = targets.max(), least != most {
                report.take(
                    ValidationFinding(
                        .targetDurationsDiffer, catalog.name,
                        translated("target durations of variants are \(least / 1_000_000_000) s to \(most / 1_000_000_000) s")))
            }
        }
    }

    /// Asks for a list that grows once more.
    private func checkRefresh(_ catalog: StreamCatalog) throws(MediaError) {
        for variant in catalog.presentation.variants.prefix(1) {
            guard let before = catalog.playlists[variant.rendition]?.list, !before.isEnded else { continue }
            try catalog.fetch.wait(until: catalog.time.now() + TimeSpan(nanoseconds: before.targetDuration).scaled(by: 1.5))
            take(MediaCheck.refresh(before, try catalog.playlist(at: before.address)))
        }
    }
}

extension Presentation {
    /// The list of segments that is the source itself; nil of a list of variants.
    fileprivate var playlistItself: StreamAddress? {
        guard variants.count == 1, let only = variants.first, only.peakBitRate == 0, renditions.count == 1 else { return nil }
        return rendition(only.rendition)?.addresses.first
    }
}

extension [UInt8] {
    /// A file of MP4 with its own header.
    fileprivate var hasInitSection: Bool { BoxReader(self[...]).prefix(8).contains { $0.kind == "moov" } }
}
