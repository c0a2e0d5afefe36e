/// A track of subtitles in fragments of MP4, each with an own decoding time: what packagers make of WebVTT (`wvtt`) and TTML (`stpp`).
struct TextFragments {
    enum Kind: String {
        case webVTT = "wvtt"
        case ttml = "stpp"
    }
    struct Sample {
        let bytes: [UInt8]
        /// Milliseconds.
        let duration: Int
    }

    let kind: Kind

    /// The boxes before the first fragment. Its time scale is 1000.
    var head: [UInt8] {
        let identity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { MP4Box.number($0, 4) }
        let movie = zeros(12) + MP4Box.number(1000, 4) + zeros(4) + MP4Box.number(0x10000, 4) + MP4Box.number(0x100, 2)
        let header = MP4Box("mvhd", movie + zeros(10) + identity + zeros(24) + MP4Box.number(2, 4))
        let track = MP4Box("tkhd", [0, 0, 0, 3] + zeros(8) + MP4Box.number(1, 4) + zeros(24) + identity + zeros(8))
        let media = MP4Box("mdhd", zeros(12) + MP4Box.number(1000, 4) + zeros(4) + [0x55, 0xC4, 0, 0])
        let handler = MP4Box("hdlr", zeros(8) + Array((kind == .ttml ? "subt" : "text").utf8) + zeros(13))
        let place = MP4Box("dinf", MP4Box("dref", zeros(4) + MP4Box.number(1, 4) + MP4Box("url ", [0, 0, 0, 1]).bytes).bytes)
        let entry = MP4Box(kind.rawValue, zeros(6) + [0, 1] + description)
        let tables = [
            MP4Box("stsd", zeros(4) + MP4Box.number(1, 4), children: [entry]), MP4Box("stts", zeros(8)), MP4Box("stsc", zeros(8)),
            MP4Box("stsz", zeros(12)), MP4Box("stco", zeros(8)),
        ]
        let info = MP4Box(
            "minf", children: [MP4Box(kind == .ttml ? "sthd" : "nmhd", zeros(4)), place, MP4Box("stbl", children: tables)])
        let defaults = MP4Box("trex", zeros(4) + MP4Box.number(1, 4) + MP4Box.number(1, 4) + zeros(12))
        let whole = MP4Box(
            "moov",
            children: [
                header, MP4Box("trak", children: [track, MP4Box("mdia", children: [media, handler, info])]),
                MP4Box("mvex", children: [defaults]),
            ])
        return MP4Box("ftyp", Array("iso6".utf8) + zeros(4) + Array("iso6dash".utf8)).bytes + whole.bytes
    }

    private var description: [UInt8] {
        switch kind {
        case .webVTT: MP4Box("vttC", Array("WEBVTT".utf8)).bytes
        case .ttml: Array("http://www.w3.org/ns/ttml\0\0image/png\0".utf8)
        }
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A fragment with samples one behind the other from a time on, in milliseconds.
    func segment(_ samples: [Sample], at time: Int) -> [UInt8] {
        let table = samples.flatMap { MP4Box.number($0.duration, 4) + MP4Box.number($0.bytes.count, 4) }
        let run = MP4Box("trun", [0, 0, 3, 1] + MP4Box.number(samples.count, 4) + MP4Box.number(0, 4) + table)
        let fragment = MP4Box(
            "moof",
            children: [
                MP4Box("mfhd", zeros(4) + MP4Box.number(1, 4)),
                MP4Box(
                    "traf",
                    children: [
                        MP4Box("tfhd", [0, 2, 0, 0] + MP4Box.number(1, 4)),
                        MP4Box("tfdt", [1, 0, 0, 0] + MP4Box.number(time, 8)), run,
                    ]),
            ])
        run.addToOffset(fragment.bytes.count + 8)
        return fragment.bytes + MP4Box("mdat", samples.flatMap(\.bytes)).bytes
    }

    /// A sample of WebVTT with a cue for each text; none for no texts.
    static func cues(_ texts: [String], milliseconds: Int) -> Sample {
        let boxes = texts.flatMap { MP4Box("vttc", MP4Box("payl", Array($0.utf8)).bytes).bytes }
        return Sample(bytes: texts.isEmpty ? MP4Box("vtte").bytes : boxes, duration: milliseconds)
    }
}
