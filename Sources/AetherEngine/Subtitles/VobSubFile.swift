import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// A VobSub, read from its two files into one that a demuxer takes.
struct VobSubFile {
    /// The `.idx`, and the `.sub` beside it.
    let index, images: MediaLocation
    let http: HTTPOptions
    let interrupt: Interrupt

    /// A feature video has some 1500 subtitles with 200 KB to 1 MB in each language.
    private static let indexLimit = 16 << 20, imagesLimit = 256 << 20

    /// Blocks on both. Throws where one of them cannot be had, or holds no subtitles.
    func input() throws(MediaError) -> MediaInput {
        let name = index.displayName
        let listed = try reading(index) { (reader) throws(IOReaderError) in
            VobSubIndex(try reader.bytes(limit: Self.indexLimit))
        }
        guard let listed, !listed.streams.isEmpty else {
            throw MediaError(.noDecodableStream, "read subtitles", subject: name, reason: "it holds no subtitles")
        }
        let container = try reading(images) { (reader) throws(IOReaderError) in try Self.container(listed, reader) }
        return .reader(MemoryReader(container.bytes), name: name)
    }

    private func reading<Value>(
        _ place: MediaLocation, _ body: (any IOReader) throws(IOReaderError) -> Value
    ) throws(MediaError) -> Value {
        do throws(IOReaderError) {
            let reader: any IOReader
            if case .file(let path) = place {
                // At a FIFO without a writer opening does not wait.
                reader = try FileReader(path: path)
            } else {
                guard let server = try place.serverReader(http) else { throw .closed }
                reader = server
            }
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                reader.close()
            }
            return try body(reader)
        } catch {
            throw MediaError(place, error)
        }
    }

    private static func container(_ index: VobSubIndex, _ reader: any IOReader) throws(IOReaderError) -> VobSubContainer {
        var container = VobSubContainer(index)
        let cues = index.streams.enumerated().flatMap { track, stream in
            stream.cues.map { (track: track + 1, number: stream.number, cue: $0) }
        }.sorted { $0.cue.offset < $1.cue.offset }
        var images = ImageReading(reader, offsets: cues.map(\.cue.offset))
        for (track, number, cue) in cues {
            guard let unit = try images.unit(at: cue.offset, stream: number) else { continue }
            container.add(unit, track: track, milliseconds: cue.milliseconds)
        }
        return container
    }

    /// Reads the file of images once, from its beginning to its end: of each subtitle first the bytes up to the next one. Where others lie between
    /// its packets, it is read once more, as far as one may reach.
    private struct ImageReading {
        let reader: any IOReader
        let offsets: [Int64]
        var next = 0
        var place: Int64 = 0, bytes: [UInt8] = []
        /// Bytes that may be read yet: an index may name each one.
        var left = VobSubFile.imagesLimit

        init(_ reader: any IOReader, offsets: [Int64]) { (self.reader, self.offsets) = (reader, offsets) }

        mutating func unit(at offset: Int64, stream: Int) throws(IOReaderError) -> [UInt8]? {
            // A file that was cut off has the subtitles before its end; a server refuses what lies behind.
            if let size = reader.size, offset >= size { return nil }
            while next < offsets.count, offsets[next] <= offset { next += 1 }
            let end = next < offsets.count ? offsets[next] : .max
            let near = Int(min(Int64(VobSubImage.reach), end - offset))
            if place != offset || bytes.count < near { try read(near, at: offset) }
            if let unit = VobSubImage.unit(in: bytes[...], stream: stream) { return unit }
            guard near < VobSubImage.reach else { return nil }
            try read(VobSubImage.reach, at: offset)
            return VobSubImage.unit(in: bytes[...], stream: stream)
        }

        private mutating func read(_ count: Int, at offset: Int64) throws(IOReaderError) {
            if offset != place + Int64(bytes.count) { try reader.seek(to: offset) }
            (place, bytes) = (offset, left > 0 ? try reader.bytes(limit: count) : [])
            left -= bytes.count
        }
    }
}

extension MediaLocation {
    /// The `.sub` that belongs to an `.idx`, in the same letters; nil for what is none.
    var imagesOfIndex: MediaLocation? {
        switch self {
        case .file(let path): path.lowercased().hasSuffix(".idx") ? .file(Self.images(path)) : nil
        case .url(let url): images(ofURL: url)
        case .standardInput: nil
        }
    }

    private func images(ofURL url: String) -> MediaLocation? {
        guard HTTPReader.opens(url) || ShareReader.opens(url) else { return nil }
        // Names on shares may have these.
        let end = ShareReader.opens(url) ? url.endIndex : url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        let path = url[..<end]
        guard path.lowercased().hasSuffix(".idx") else { return nil }
        return .url(Self.images(path) + url[end...])
    }

    private static func images(_ path: some StringProtocol) -> String {
        path.dropLast(3) + (path.hasSuffix("IDX") ? "SUB" : "sub")
    }
}
