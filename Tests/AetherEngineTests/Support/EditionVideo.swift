import AetherTestSupport
import Foundation

/// A Matroska film with chapters of our own: ffmpeg writes the file with one chapter that has a very long name, and ours take its room.
enum EditionVideo {
    struct Failure: Error {
        let text: String
    }

    static func make(from film: String, in folder: TemporaryFolder, _ editions: [[UInt8]]) throws -> String {
        let path = folder.path("editions.mkv")
        let long = String(repeating: "x", count: 12_000)
        try ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=\(long)\n".write(
            toFile: folder.path("chapters"), atomically: true, encoding: .utf8)
        let made = try Fixtures.run(
            "ffmpeg",
            ["-v", "error", "-i", film, "-f", "ffmetadata", "-i", folder.path("chapters"), "-map", "0", "-map_chapters", "1"]
                + ["-c", "copy", path])
        guard made.status == 0 else { throw Failure(text: String(decoding: made.errors, as: UTF8.self)) }
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let id: [UInt8] = [0x10, 0x43, 0xA7, 0x70]
        // The first is the name of the chapters in the index.
        let places = (0..<min(bytes.count, 64 << 10) - 4).filter { Array(bytes[$0..<$0 + 4]) == id }
        guard let place = places.last, bytes[place + 4] < 0x80, let length = size(bytes[(place + 4)...]) else {
            throw Failure(text: "no chapters in \(path)")
        }
        let whole = 4 + length.bytes + length.value
        let own = EBML.chapters(editions)
        bytes.replaceSubrange(place..<place + whole, with: own + EBML.void(whole - own.count))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func size(_ bytes: ArraySlice<UInt8>) -> (value: Int, bytes: Int)? {
        guard let first = bytes.first, first != 0 else { return nil }
        let count = first.leadingZeroBitCount + 1
        let value = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        return (value & ((1 << (7 * count)) - 1), count)
    }
}
