import Foundation

/// A Blu-ray disc: clips by ffmpeg, tables and file system by ourselves. Playlist 1 is clip 1 (6 s) and clip 2 (4 s, a clock that is 50 minutes
/// behind), four chapters, German and English audio, French subtitles; playlist 2 is clip 3 or, from its second angle, clip 4 (3 s each). Playlist 3
/// plays the same as 1, playlist 4 plays clip 3 twenty times, playlist 5 a clip that is not there, playlist 6 the clips of 1 in the other order.
public struct BluRayFixture: Sendable {
    /// A clip.
    public struct Clip: Sendable {
        /// The path of its stream.
        public let path: String
        /// The times of its frames in ticks of 90 kHz, ascending.
        public let frames: [Int]
        /// The points at which decoding can begin.
        public let units: [(time: Int, packet: Int)]

        /// The part that its frames take.
        public var times: Range<Int> { (frames.first ?? 0)..<(frames.last ?? 0) + 3600 }
    }

    /// By their numbers less one.
    public let clips: [Clip]

    /// The streams of clips 1 and 2.
    public static let streams = [
        BluRayTables.Stream(pid: 0x1011, coding: 0x1B), BluRayTables.Stream(pid: 0x1100, coding: 0x81, language: "deu"),
        BluRayTables.Stream(pid: 0x1101, coding: 0x81, language: "eng"),
        BluRayTables.Stream(pid: 0x1200, coding: 0x90, language: "fra"),
    ]

    /// The disc; made once. Blocks.
    public static func made() throws -> BluRayFixture { try disc.get() }

    private static let disc = Result { () throws -> BluRayFixture in
        try BluRayFixture(
            clips: [
                clip(seconds: 6, offset: 3600, tone: 440, "testsrc2"), clip(seconds: 4, offset: 600, tone: 660, "testsrc"),
                clip(seconds: 3, offset: 10, tone: 880, "smptebars"), clip(seconds: 3, offset: 10, tone: 990, "rgbtestsrc"),
            ])
    }

    private static func clip(seconds: Int, offset: Int, tone: Int, _ picture: String) throws -> Clip {
        let words = PGSStream(width: 320, height: 240, [.init(x: 40, y: 180, width: 200, height: 30, start: 1, end: 2)])
        let file = Fixtures.directory.appendingPathComponent("blu-ray-words.sup")
        try FileManager.default.createDirectory(at: Fixtures.directory, withIntermediateDirectories: true)
        try Data(words.bytes).write(to: file, options: .atomic)
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "\(picture)=s=320x240:r=25:d=\(seconds)", "-f", "lavfi", "-i",
                "sine=f=\(tone):r=48000:d=\(seconds)", "-f", "lavfi", "-i", "sine=f=\(3 * tone):r=48000:d=\(seconds)", "-i",
                file.path,
                "-map", "0:v", "-map", "1:a", "-map", "2:a", "-map", "3:s", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
                "yuv420p", "-g", "12", "-bf", "2", "-x264-params", "scenecut=0:open-gop=0", "-c:a", "ac3", "-ac", "2", "-c:s",
                "copy",
                "-mpegts_m2ts_mode", "1", "-output_ts_offset", "\(offset)",
            ], ext: "m2ts")
        let report = try Fixtures.run(
            "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,pos,flags", "-of", "csv=p=0", path])
        var frames: [Int] = [], units: [(time: Int, packet: Int)] = []
        for line in String(decoding: report.output, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ",")
            guard parts.count >= 3, let time = Int(parts[0]), let place = Int(parts[1]) else { continue }
            frames.append(time)
            if parts[2].hasPrefix("K") { units.append((time, place / 192)) }
        }
        guard frames.count == 25 * seconds, !units.isEmpty else {
            throw Fixtures.Failure(description: "a clip with \(frames.count) frames")
        }
        return Clip(path: path, frames: frames.sorted(), units: units)
    }

    /// The playlists by their numbers.
    public var playlists: [Int: [UInt8]] {
        func item(_ numbers: Int...) -> BluRayTables.Item {
            let times = clips[min(numbers[0], clips.count) - 1].times
            return BluRayTables.Item(clips: numbers, start: times.lowerBound / 2, end: times.upperBound / 2)
        }
        let first = clips[0].times.lowerBound / 2, second = clips[1].times.lowerBound / 2
        let marks = [(0, first), (0, first + 2 * 45_000), (1, second), (1, second + 3 * 45_000)]
        let streams = Self.streams
        func list(_ items: [BluRayTables.Item], _ marks: [(item: Int, time: Int)] = []) -> [UInt8] {
            BluRayTables.playlist(items, marks: marks, streams: streams)
        }
        return [
            1: list([item(1), item(2)], marks), 2: list([item(3, 4)], [(0, clips[2].times.lowerBound / 2)]),
            3: list([item(1), item(2)]), 4: list(Array(repeating: item(3), count: 20)), 5: list([item(1), item(7)]),
            6: list([item(2), item(1)]),
        ]
    }

    /// All files of the disc. `hasJava`: its menu is a program in Java.
    public func files(hasJava: Bool = false) throws -> [UDFWriter.File] {
        var files: [UDFWriter.File] = [
            ("BDMV/index.bdmv", BluRayTables.index(first: hasJava ? nil : 0, titles: [1, 2])),
            ("BDMV/MovieObject.bdmv", BluRayTables.objects([(nil, 1), (1, nil), (2, nil)])),
        ]
        for (number, bytes) in playlists.sorted(by: { $0.key < $1.key }) {
            files.append((String(format: "BDMV/PLAYLIST/%05d.mpls", number), bytes))
        }
        for (index, clip) in clips.enumerated() {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: clip.path)))
            files.append(
                (
                    String(format: "BDMV/CLIPINF/%05d.clpi", index + 1),
                    BluRayTables.clip(Self.streams, packets: bytes.count / 192, times: clip.times, units: clip.units)
                ))
            files.append((String(format: "BDMV/STREAM/%05d.m2ts", index + 1), bytes))
        }
        let tables = files.filter { !$0.path.contains("STREAM") }
        return files + tables.map { ($0.path.replacingOccurrences(of: "BDMV/", with: "BDMV/BACKUP/"), $0.bytes) }
    }

    /// Writes files below a folder.
    public static func write(_ files: [UDFWriter.File], to folder: String) throws {
        for file in files {
            let url = URL(fileURLWithPath: folder + "/" + file.path)
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url)
        }
    }
}
