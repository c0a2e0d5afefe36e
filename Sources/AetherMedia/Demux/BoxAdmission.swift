import AetherCore

/// Which sources are taken apart in a box, where there is one.
enum BoxAdmission {
    /// Whether a source is. What only libavformat itself can fetch cannot be, for a box has no network, nor can frames that are encrypted one by
    /// one: keys stay outside; nor the index of VobSub as a source, whose other file libavformat opens by itself. A strict box takes or refuses all. Reads
    /// the first bytes of what is called an index.
    static func holds(_ input: MediaInput, _ options: OpenOptions, _ box: any MediaBox) -> Bool {
        if box.isStrict { return true }
        if case .reader(let reader, let name) = input, options.frameKey == nil, !isImageIndex(reader, name), box.isSound() {
            return true
        }
        Log.module("demux").warning("it is read without a box: \(input.name)")
        return false
    }

    private static func isImageIndex(_ reader: any IOReader, _ name: String) -> Bool {
        guard name.lowercased().hasSuffix(".idx"), reader.isSeekable else { return false }
        let mark = Array("# VobSub index file".utf8)
        do throws(IOReaderError) {
            let begin = try reader.bytes(limit: mark.count)
            try reader.seek(to: 0)
            return begin == mark
        } catch {
            // It fails again, and is said, where it is opened.
            return false
        }
    }
}
