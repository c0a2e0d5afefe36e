public import AetherCore
public import AetherFormats
public import AetherMedia
public import AetherSources

/// The segments of a source in segments as parts of a container, those of one rendition: each with what it holds, and the init section before
/// those that need it. Has readers of its own. Blocks on files and servers until the interrupt is raised. One thread.
public final class SegmentInspection {
    /// The rendition whose segments are looked at.
    public enum Choice: Sendable {
        /// That of the first variant that wishes leave.
        case wishes([MediaVariantQualifier], isRequired: Bool)
        /// The first one of a kind of track; with a language, the first one in it.
        case track(Group.Kind, language: String?)
        /// That of a variant, by its name; where there is none of the name, that of the first one.
        case variant(MediaVariant.ID?)
    }

    /// Init sections and segments, each with its parts. Offsets count from the first byte of each.
    public private(set) var boxes: [InspectedBox] = []
    /// The segments that there are in all.
    public var total: Int { numbers.count }
    /// Those that are in `boxes`.
    public private(set) var listed = 0
    /// The reading of one has failed.
    public private(set) var hasFailed = false
    /// Segments that are looked at unless another number is asked for.
    public static let count = 16

    /// Parts of all segments together.
    private static let partLimit = 50_000
    private let manifest: ManifestReading
    private let index: any SegmentIndex
    private let interrupt: Interrupt
    private var numbers: Range<Int64> { index.numbers }
    private var pieces: [SegmentPiece] = []
    private let bytes: SegmentSource

    /// Whether the first bytes of a source are those of a manifest.
    public static func reads(_ head: some Sequence<UInt8>) -> Bool {
        let head = Array(head)
        return MPDDocument.begins(head) || HLSPlaylist.begins(head) && HLSPlaylist.isStreaming(head)
    }

    /// Reads a manifest, and the playlist or the indexes of one rendition; `now`, in nanoseconds since 1970, is the moment for which a broadcast by
    /// DASH is cut out. Throws as `ManifestReading`, and `.unsupported` where the choice leaves nothing.
    public init(
        _ location: MediaLocation, http: HTTPOptions = HTTPOptions(), workingFolder: String, now: Int64, choice: Choice,
        interrupt: Interrupt = Interrupt()
    ) throws(MediaError) {
        var manifest = try ManifestReading(location, http: http, workingFolder: workingFolder)
        manifest.interrupt = interrupt
        let rendition = try manifest.rendition(now: now) { presentation throws(MediaError) in
            try Self.rendition(of: presentation, choice, name: location.displayName)
        }
        guard let index = rendition.index else {
            throw MediaError(.notMedia, "inspect", subject: location.displayName, reason: "it has no segments")
        }
        (self.manifest, self.index, self.interrupt) = (manifest, index, interrupt)
        bytes = SegmentSource(manifest, interrupt)
    }

    private static func rendition(
        of presentation: Presentation, _ choice: Choice, name: String
    ) throws(MediaError) -> Rendition.ID {
        let variants = presentation.mediaVariants()
        var id: MediaVariant.ID?
        switch choice {
        case .track(let kind, let language): return try track(of: presentation, kind, language, name: name)
        case .variant(let wanted): id = wanted.flatMap { wanted in variants.first { $0.id == wanted }?.id }
        case .wishes(let qualifiers, let isRequired):
            let choice = VariantChoice(qualifiers, isRequired: isRequired)
            guard let left = choice.left(of: variants) else {
                throw MediaError(.unsupported, "inspect", subject: name, reason: choice.refusal(of: variants.count))
            }
            id = left.first?.id
        }
        let found = presentation.variants.first { $0.id == id } ?? presentation.variants.first
        guard let rendition = found?.rendition ?? presentation.renditions.first?.id else {
            throw MediaError(.notMedia, "inspect", subject: name, reason: StreamFault(.nothingToPlay).description)
        }
        return rendition
    }

    private static func track(
        of presentation: Presentation, _ kind: Group.Kind, _ language: String?, name: String
    ) throws(MediaError) -> Rendition.ID {
        // A track whose segments are those of the variants has no renditions of its own.
        let tracks = presentation.periods.flatMap(\.groups).filter { $0.kind == kind && !$0.renditions.isEmpty }
        let wanted = language.map(LanguageCode.canonical)
        let found = tracks.first { track in
            wanted.map { wanted in track.language.map(LanguageCode.canonical) == wanted } ?? true
        }
        if let rendition = found?.renditions.first { return rendition.id }
        var reason = "no \(kind.rawValue) has segments of its own"
        if let language, !tracks.isEmpty {
            let there = tracks.compactMap(\.language).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            reason =
                "no \(kind.rawValue) in \(language)"
                + (there.isEmpty ? "" : "; there is \(there.prefix(16).joined(separator: ", "))")
        }
        throw MediaError(.unsupported, "inspect", subject: name, reason: DisplayText.singleLine(reason, limit: 300))
    }

    /// Looks into segments, at most `count`: from the first on, or from a few before the one at `time` on. `goesOn` is asked before each. What
    /// cannot be read is there without parts, and says why.
    public func list(count: Int = SegmentInspection.count, around time: MediaTime? = nil, goesOn: () -> Bool = { true }) {
        var number = numbers.lowerBound, map: InitSection?, parts = 0
        if let time, let place = index.number(at: Ticks(time)) {
            number = max(numbers.lowerBound, min(place - 4, numbers.upperBound - Int64(clamping: count)))
        }
        while number < numbers.upperBound, listed < count, parts < Self.partLimit, goesOn(), !interrupt.isRaised {
            if let segment = index.segment(number) {
                if let head = segment.map, head != map {
                    map = head
                    add(SegmentRow(head), SegmentPiece(head, before: segment), &parts)
                }
                add(SegmentRow(segment), SegmentPiece(segment), &parts)
                listed += 1
            }
            number += 1
        }
        bytes.close()
    }

    private func add(_ row: SegmentRow, _ piece: SegmentPiece, _ parts: inout Int) {
        var box = row.box(size: piece.range?.length ?? 0)
        if !row.isMissing {
            do throws(IOReaderError) {
                let source = try bytes.open(piece)
                let inspection = ContainerInspection(source)
                box = row.box(size: source.size ?? piece.range?.length ?? 0)
                box.fields.append(InspectedField("container", .text(inspection?.format.rawValue ?? "unknown")))
                box.children = inspection?.boxes ?? []
                if inspection == nil, row.isEncrypted { box.damage.append("it is encrypted: its parts cannot be seen") }
                if source.hasFailed { (hasFailed, box.damage) = (true, box.damage + ["a part of it could not be read"]) }
                parts += box.count
            } catch {
                hasFailed = true
                box.damage.append(DisplayText.singleLine(SegmentFailure.words(error), limit: 300))
            }
        }
        pieces.append(piece)
        boxes.append(box)
    }

    /// The bytes of a row of `boxes`; nil where they cannot be had, and for an unknown row.
    public func bytes(of row: Int) -> InspectedBytes? {
        guard pieces.indices.contains(row) else { return nil }
        do throws(IOReaderError) {
            return try bytes.open(pieces[row])
        } catch {
            Log.module("inspect").info("\(error)")
            return nil
        }
    }

    /// The rows of `boxes` by themselves, for other threads.
    public var segments: [InspectedSegment] { pieces.map { InspectedSegment(manifest: manifest, piece: $0) } }
}

/// A row of a `SegmentInspection`, to be read on any thread.
public struct InspectedSegment: Sendable {
    let manifest: ManifestReading
    let piece: SegmentPiece

    /// Bytes from an offset of it on, fewer at its end; nil where they cannot be had. Blocks on files and servers until the interrupt is raised.
    public func bytes(at offset: Int64, count: Int, interrupt: Interrupt) -> [UInt8]? {
        let source = SegmentSource(manifest, interrupt)
        do throws(IOReaderError) {
            let bytes = try source.open(piece), found = Array(bytes.bytes(at: offset, count: count))
            return bytes.hasFailed ? nil : found
        } catch {
            Log.module("inspect").info("\(error)")
            return nil
        }
    }
}
