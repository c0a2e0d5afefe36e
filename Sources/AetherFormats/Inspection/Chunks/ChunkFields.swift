/// The headers of WAV and AVI.
enum ChunkFields {
    private static let formats = [
        1: "PCM", 2: "ADPCM", 3: "floating point", 6: "A-law", 7: "µ-law", 0x11: "IMA ADPCM", 0x50: "MPEG audio", 0x55: "MP3",
        0xFF: "AAC",
        0x2000: "AC-3", 0x2001: "DTS", 0xFFFE: "extensible",
    ]

    static func wave(_ reader: inout FieldReader) {
        reader.little("wFormatTag", 2) { formats[Int($0)] ?? "" }
        reader.little("nChannels", 2)
        reader.little("nSamplesPerSec", 4, unit: "Hz")
        reader.little("nAvgBytesPerSec", 4, unit: "bytes/s")
        reader.little("nBlockAlign", 2, unit: "bytes")
        guard reader.left >= 2 else { return }
        reader.little("wBitsPerSample", 2, unit: "bits")
        guard reader.left >= 2, reader.little("cbSize", 2, unit: "bytes") >= 22, reader.left >= 22 else { return }
        reader.little("wValidBitsPerSample", 2, unit: "bits")
        reader.little("dwChannelMask", 4)
        reader.little("SubFormat", 2) { formats[Int($0)] ?? "" }
    }

    static func movie(_ reader: inout FieldReader) {
        reader.little("dwMicroSecPerFrame", 4, unit: "µs") {
            $0 > 0 ? "\((1e9 / Double($0)).rounded() / 1000) frames a second" : ""
        }
        reader.little("dwMaxBytesPerSec", 4, unit: "bytes/s")
        reader.little("dwPaddingGranularity", 4)
        reader.little("dwFlags", 4) { value in
            [(0x10, "has index"), (0x20, "must use index"), (0x100, "interleaved")].filter { value & $0.0 != 0 }.map(\.1)
                .joined(separator: ", ")
        }
        reader.little("dwTotalFrames", 4, unit: "frames")
        reader.little("dwInitialFrames", 4)
        reader.little("dwStreams", 4)
        reader.little("dwSuggestedBufferSize", 4, unit: "bytes")
        reader.little("dwWidth", 4, unit: "pixels")
        reader.little("dwHeight", 4, unit: "pixels")
    }

    static func stream(_ reader: inout FieldReader) -> String {
        let type = reader.fourLetters("fccType") { ["vids": "video", "auds": "audio", "txts": "text"][$0] ?? "" }
        reader.fourLetters("fccHandler")
        reader.little("dwFlags", 4)
        reader.little("wPriority", 2)
        reader.little("wLanguage", 2)
        reader.little("dwInitialFrames", 4)
        let scale = reader.little("dwScale", 4)
        reader.little("dwRate", 4) { scale > 0 ? "\((Double($0) / Double(scale) * 1000).rounded() / 1000) a second" : "" }
        for name in ["dwStart", "dwLength", "dwSuggestedBufferSize", "dwQuality", "dwSampleSize"] { reader.little(name, 4) }
        for name in ["left", "top", "right", "bottom"] { reader.littleSigned("rcFrame_\(name)", 2) }
        return type
    }

    static func bitmap(_ reader: inout FieldReader) {
        reader.little("biSize", 4, unit: "bytes")
        reader.littleSigned("biWidth", 4, unit: "pixels")
        reader.littleSigned("biHeight", 4, unit: "pixels")
        reader.little("biPlanes", 2)
        reader.little("biBitCount", 2, unit: "bits")
        reader.fourLetters("biCompression")
        reader.little("biSizeImage", 4, unit: "bytes")
        for name in ["biXPelsPerMeter", "biYPelsPerMeter"] { reader.littleSigned(name, 4) }
        for name in ["biClrUsed", "biClrImportant"] { reader.little(name, 4) }
    }
}
