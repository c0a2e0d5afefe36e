import AetherCore
import AetherTestSupport
import Foundation
import Synchronization

@testable import AetherEngine
@testable import AetherMedia

/// A broadcast by DASH or HLS that has been on the air for 1000 s: segments of 2.048 s, 32 frames and sixteen packets of audio each. The server's
/// clock and the player's are one virtual clock, the player's own set wrong; a segment is there when it is whole, and a minute long.
final class ClockedBroadcast: Sendable {
    struct Options: Sendable {
        /// Seconds by which the server's clock is ahead of the player's.
        var lead = 0.0
        /// UTCTiming as the manifest has it; nil for none.
        var clock: String? = "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-iso:2014\" value=\"/clock\"/>"
        /// Seconds by which segments come later than the manifest says.
        var delay = 0.0
        /// After 300 s the server's clock is set by so many seconds; its segments move with it.
        var correction = 0.0
        /// Before each path: a fault of the origin.
        var prefix = ""
        /// The document to open; `Self.hls` and `Self.lowLatency` are playlists.
        var document = "/m.mpd"
        /// Faults of the origin by the numbers of segments.
        var fault: @Sendable (Int) -> String = { _ in "" }
        /// Seconds that are on the air.
        var length = 850.0
    }
    private struct Track: Sendable {
        let head: [UInt8], fragment: [UInt8], timescale: Int
        /// Where its decoding time stands, of eight bytes.
        let place: Int
    }

    static let seconds = 2.048, frames = 32
    /// 2024-01-01T00:00:00Z.
    static let zero: Int64 = 1_704_067_200_000_000_000
    /// The server's time at the start, on the axis of the broadcast.
    static let begin = 1000.7
    let time = ManualTime()
    let options: Options
    private let tracks: [String: Track]
    static let hls = "/m.m3u8", lowLatency = "/l.m3u8"

    init(_ options: Options) throws {
        self.options = options
        let folder = try TemporaryFolder()
        let inputs: [(String, String, [String], Int)] = [
            (
                "v", "testsrc2=s=64x36:r=125/8:d=2.048",
                ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-video_track_timescale", "1000"], 1000
            ),
            ("a", "sine=f=440:r=8000:d=1.92", ["-c:a", "aac"], 8000),
        ]
        var made: [String: Track] = [:]
        for (name, input, codec, scale) in inputs {
            let file = folder.path("\(name).mp4")
            let flags = ["-frag_duration", "60000000", "-movflags", "empty_moov+default_base_moof"]
            let result = try Fixtures.run(
                "ffmpeg", ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", input] + codec + flags + [file])
            guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
            let boxes = MP4Box.list(Array(try Data(contentsOf: URL(filePath: file))))
            let head = boxes.filter { ["ftyp", "moov"].contains($0.kind) }.flatMap(\.bytes)
            let fragment = boxes.filter { ["moof", "mdat"].contains($0.kind) }.flatMap(\.bytes)
            guard let place = fragment.firstRange(of: Array("tfdt".utf8)) else { throw Fixtures.Failure(description: "no time") }
            made[name] = Track(head: head, fragment: fragment, timescale: scale, place: place.upperBound + 4)
        }
        tracks = made
    }

    /// The server's time on the broadcast's axis.
    var now: Double {
        let passed = time.now().nanoseconds.seconds
        return Self.begin + passed + (passed > 300 ? options.correction : 0)
    }

    private static func text(_ axis: Double, _ format: String) -> String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone, formatter.dateFormat) = (
            Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"), format
        )
        return formatter.string(from: Date(timeIntervalSince1970: Double(zero / 1_000_000_000) + axis))
    }

    /// The header "Date" of the start, as a fault of the origin.
    static var header: String {
        "/~date="
            + text(begin, "EEE, dd MMM yyyy HH:mm:ss 'GMT'").replacingOccurrences(of: ",", with: ";").replacingOccurrences(
                of: " ", with: "+")
    }

    private var manifest: String {
        let set = { (kind: String, id: String, codec: String, more: String) in
            """
            <AdaptationSet contentType="\(kind)" mimeType="\(kind)/mp4"><SegmentTemplate timescale="1000" duration="2048" initialization="\(id)-0.mp4" media="\(id)-$Number$.mp4"/>
            <Representation id="\(id)" bandwidth="10000" codecs="\(codec)" \(more)/></AdaptationSet>
            """
        }
        return """
            <MPD type="dynamic" availabilityStartTime="2024-01-01T00:00:00Z" minimumUpdatePeriod="PT60S" timeShiftBufferDepth="PT60S">\(options.clock ?? "")
            <Period id="p" start="PT0S">\(set("video", "v", "avc1.42c00a", "width=\"64\" height=\"36\""))\(set("audio", "a", "mp4a.40.2", ""))</Period></MPD>
            """
    }

    /// A segment by its number; nil before its time and after it has left the window.
    func segment(_ name: String, _ number: Int) -> [UInt8]? {
        guard let track = tracks[name] else { return nil }
        if number == 0 { return track.head }
        let age = now - options.delay - Double(number) * Self.seconds
        guard age >= -1e-6, age <= 70 else { return nil }
        var bytes = track.fragment
        bytes.replaceSubrange(track.place..<track.place + 8, with: MP4Box.number((number - 1) * 2048 * track.timescale / 1000, 8))
        return bytes
    }

    /// A server for it, at "/m.mpd".
    func origin() throws -> TestOrigin {
        var files: [String: TestOrigin.Content] = [
            "/m.mpd": .bytes(Array(manifest.utf8)), "/head": .bytes([0]),
            "/clock": .made { [self] _ in Array(Self.text(now, "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").utf8) },
        ]
        let last = 450 + Int(options.length / Self.seconds)
        for name in tracks.keys {
            for number in [0] + Array(450...last) {
                files["/\(name)-\(number).mp4"] = .made { [self] _ in segment(name, number) }
            }
        }
        files.merge(playlists(last: last)) { $1 }
        return try TestOrigin(files)
    }

    /// The times of the frames and of the packets of audio that a player reads in so many seconds. `pause`: after 40 frames nothing is read for so
    /// many seconds. `kept` keeps what the server's window loses meanwhile.
    func read(
        _ origin: TestOrigin, for length: Double, pause: Int = 0, kept: KeptSegments? = nil
    ) throws -> (video: [MediaTime], audio: [MediaTime]) {
        let interrupt = Interrupt()
        let input = try MediaInput(
            .location(.url(origin.address + options.prefix + options.document)), follows: true, interrupt: interrupt)
        guard let document = try StreamDocument(input) else { throw Fixtures.Failure(description: "no manifest") }
        let wall = Self.zero + Int64((Self.begin - options.lead) * 1e9)
        var opening = StreamOpening(
            options: OpenOptions(), window: nil, profile: options.document == Self.lowLatency ? .lowLatency : .safe,
            interrupt: interrupt, time: time, wall: wall,
            waiting: { [time] _, moment in
                time.advance(by: max(.zero, moment - time.now()))
                return time.now() > HostTime(nanoseconds: Int64(length * 1e9))
            })
        if let kept { opening.keeping = { kept } }
        let source = JoinedSource(try opening.sources(document)), streams = source.description.info.streams
        source.select(Set(streams.map(\.id)))
        let first = streams.first { $0.kind == .video }?.id
        _ = try source.seek(to: SeekPlan(target: source.description.start ?? .zero, landing: .exact), video: first)
        var video: [MediaTime] = [], audio: [MediaTime] = []
        while time.now() < HostTime(nanoseconds: Int64(length * 1e9)) {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts else { continue }
                if packet.stream == first { video.append(time) } else { audio.append(time) }
                guard packet.stream == first, video.count == 40 else { continue }
                for _ in 0..<pause {
                    self.time.advance(by: .seconds(1))
                    try source.look()
                }
            } catch {
                guard error.code == .interrupted else { throw error }
                break
            }
        }
        return (video, audio)
    }
}

extension Int64 {
    fileprivate var seconds: Double { Double(self) / 1e9 }
}
