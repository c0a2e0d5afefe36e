import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// Small stills of a stream that is complete, each for a few KB: of the sheets of stills and of the key frames that its manifest offers, else
/// the frames that the segments of its lowest quality begin with. Lives on one thread; its calls block on servers.
final class StreamPreviews {
    /// A still that can be had.
    struct Place {
        /// Of the still.
        let time: MediaTime
        fileprivate let kind: Kind
        fileprivate let segment: Segment
    }
    /// A still, or the packet that gives one.
    enum Still {
        case image(RasterImage)
        case packet(Packet, StreamInfo)
    }
    fileprivate enum Kind {
        /// The still of a sheet, by its number.
        case sheet(TileLayout, Int)
        /// The segment is one key frame.
        case keyFrame
        /// The segment begins with one.
        case head
    }
    private struct Source {
        let rendition: Rendition.ID
        let kind: Group.Kind
    }
    private let catalog: StreamCatalog
    private let head: SegmentHead
    /// The cheapest first. Those that fail are left out.
    private var sources: [Source]
    private var shelf = SheetShelf<StreamAddress>()

    /// Stills are shown no smaller.
    private static let leastWidth = 160
    private static let sheetLimit: Int64 = 16 << 20

    init(_ catalog: StreamCatalog, options: OpenOptions, interrupt: Interrupt) {
        self.catalog = catalog
        head = SegmentHead(fetch: catalog.fetch, keys: catalog.keys, options: options, interrupt: interrupt)
        sources = Self.sources(catalog.presentation)
    }

    private static func sources(_ presentation: Presentation) -> [Source] {
        func best(_ kind: Group.Kind) -> Source? {
            let found = presentation.periods.flatMap(\.groups).filter { $0.kind == kind }.flatMap(\.renditions)
            return smallest(found.map { ($0.id, $0.tiles?.size?.width ?? $0.size?.width) }).map {
                Source(rendition: $0, kind: kind)
            }
        }
        let variants = presentation.variants.filter(\.hasVideo)
        let lowest = smallest(variants.map { ($0.rendition, $0.size?.width) })
        return [best(.image), best(.keyFrames), lowest.map { Source(rendition: $0, kind: .video) }].compactMap { $0 }
    }

    /// The smallest that is wide enough; where none is, the widest, and without any size the first.
    private static func smallest(_ some: [(id: Rendition.ID, width: Int?)]) -> Rendition.ID? {
        let sized = some.compactMap { one in one.width.map { (id: one.id, width: $0) } }
        let wide = sized.filter { $0.width >= leastWidth }.min { $0.width < $1.width }
        return (wide ?? sized.max { $0.width < $1.width })?.id ?? some.first?.id
    }

    /// The still for a point; nil where none can be had so cheaply. Blocks the first time.
    func place(of point: MediaTime) throws(MediaError) -> Place? {
        while let source = sources.first {
            do throws(MediaError) {
                let segments = try catalog.segments(of: source.rendition)
                // The lists of a broadcast are on axes of their own.
                if !catalog.isGrowing(source.rendition), let place = place(of: Ticks(point), source, segments) { return place }
            } catch {
                if error.code == .interrupted { throw error }
                Log.module("previews").info("\(error)")
            }
            sources.removeFirst()
        }
        return nil
    }

    private func place(of point: Ticks, _ source: Source, _ segments: any SegmentIndex) -> Place? {
        guard let number = segments.number(at: point), let segment = segments.segment(number), !segment.isGap else { return nil }
        switch source.kind {
        case .image:
            guard let tiles = catalog.presentation.rendition(source.rendition)?.tiles else { return nil }
            let index = tiles.index(at: point, from: segment.start)
            return Place(time: (segment.start + tiles.start(of: index)).time, kind: .sheet(tiles, index), segment: segment)
        case .keyFrames: return Place(time: segment.start.time, kind: .keyFrame, segment: segment)
        default: return Place(time: segment.start.time, kind: .head, segment: segment)
        }
    }

    /// The still of a place; nil where its source has failed, and another place should be asked for. Blocks. Throws `.interrupted`.
    func still(of place: Place) throws(MediaError) -> Still? {
        do throws(MediaError) {
            switch place.kind {
            case .sheet(let tiles, let index):
                if let image = tiles.still(index, of: try sheet(place.segment)) { return .image(image) }
            case .keyFrame, .head:
                let isFrame = if case .keyFrame = place.kind { true } else { false }
                if let (packet, stream) = try head.packet(of: place.segment, isFrame: isFrame) { return .packet(packet, stream) }
            }
        } catch {
            if error.code == .interrupted { throw error }
            Log.module("previews").info("\(error)")
        }
        fail()
        return nil
    }

    /// The source that a place was taken from is of no use: the next one is asked from now on.
    func fail() { if !sources.isEmpty { sources.removeFirst() } }

    private func sheet(_ segment: Segment) throws(MediaError) -> RasterImage {
        if let known = shelf.image(segment.address) { return known }
        let bytes: [UInt8]
        do throws(IOReaderError) {
            let start = segment.range?.offset ?? 0
            bytes = try catalog.fetch.part(segment.address, start..<start + (segment.range?.length ?? Self.sheetLimit))
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "extract a still", subject: catalog.name) }
            throw MediaError(.url(segment.address.text), error)
        }
        let image = try StillImage.raster(bytes)
        shelf.keep(image, as: segment.address)
        return image
    }
}

extension TileLayout {
    /// The number of the still for a time in an image that begins at another.
    func index(at time: Ticks, from start: Ticks) -> Int {
        let passed = (time - start).rescaled(to: Ticks.nanoseconds).value, length = duration.rescaled(to: Ticks.nanoseconds).value
        guard passed > 0, length > 0 else { return 0 }
        return Int(min(passed / length, Int64(columns * rows - 1)))
    }

    /// Where a still's time begins, from the image's start on.
    func start(of index: Int) -> Ticks {
        let length = duration.rescaled(to: Ticks.nanoseconds).value
        return Ticks(length.multipliedReportingOverflow(by: Int64(index)).partialValue, timescale: Ticks.nanoseconds)
    }

    /// A still of an image; nil where the image is too small.
    func still(_ index: Int, of sheet: RasterImage) -> RasterImage? {
        let width = sheet.width / columns, height = sheet.height / rows
        return sheet.part(x: index % columns * width, y: index / columns * height, width: width, height: height)
    }
}
