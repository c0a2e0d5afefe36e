import AetherCore
import AetherMedia
import Glibc

// The cost of subtitles drawn into the frame, at 1200 x 675 (200x56 cells of kitty at 6x12), without a terminal:
//
//   aether-bench-subtitles [WIDTHxHEIGHT]
//
// For each kind of script: the time that libass and composing take on a frame where something has changed, and on one where nothing has,
// and the time that putting the finished patch onto a video frame takes (every frame needs that). Percentiles in milliseconds.

func milliseconds(_ body: () -> Void) -> Double {
    let time = SystemTime(), began = time.now()
    body()
    return (time.now() - began).seconds * 1000
}

func percentiles(_ times: [Double]) -> String {
    let sorted = times.sorted()
    func at(_ share: Double) -> String {
        guard !sorted.isEmpty else { return "-" }
        let micros = Int((sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 1000).rounded())
        return "\(micros / 1000).\(String(1000 + micros % 1000).dropFirst())"
    }
    return "p50 \(at(0.5)) p95 \(at(0.95)) max \(at(1))"
}

/// Forty seconds of a kind of script: an event every second unless it says otherwise.
struct Kind {
    let name: String
    let events: [String]
    /// Pictures a second that are drawn anew while an event stands.
    let moves: Bool
}

let kinds = [
    Kind(
        name: "two lines",
        events: (0..<40).map { "0,Default,,0,0,0,,Line \($0) of what somebody says here,\\Nand {\\i1}the second{\\i0} of it" },
        moves: false),
    Kind(
        name: "sign, blurred and turned",
        events: (0..<40).map { "1,Default,,0,0,0,,{\\an5\\pos(400,200)\\frz12\\blur3\\bord4\\fs90\\c&H20A0FF&}SIGN \($0)" },
        moves: false),
    Kind(
        name: "karaoke with fades",
        events: (0..<40).map { _ in
            "0,Default,,0,0,0,,{\\fad(200,200)}" + "ka ra o ke no u ta".split(separator: " ").map { "{\\kf14}\($0) " }.joined()
        }, moves: true),
    Kind(
        name: "moving sign",
        events: (0..<40).map { _ in "0,Default,,0,0,0,,{\\move(100,100,1100,500)\\blur2\\fs70}over the picture" }, moves: true),
]

let scriptHeader = """
    [Script Info]
    PlayResX: 1280
    PlayResY: 720
    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, \
    ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,DejaVu Sans,48,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,2.5,1,2,20,20,40,1
    """

let size = CommandLine.arguments.dropFirst().first?.split(separator: "x").compactMap { Int($0) } ?? [1200, 675]
guard size.count == 2, size[0] > 0, size[1] > 0 else {
    print("usage: aether-bench-subtitles [WIDTHxHEIGHT]")
    exit(2)
}
let target = PixelSize(width: size[0], height: size[1])

func measure(_ kind: Kind, _ target: PixelSize) throws(MediaError) {
    var picture = RasterImage(width: target.width, height: target.height, fill: 0xFF40_6080)
    var renderer = try ASSRenderer(header: scriptHeader, fonts: [])
    renderer.setFrame(target, pixelAspect: 1, storage: nil)
    for (number, event) in kind.events.enumerated() {
        _ = renderer.add(event, number: number, start: .seconds(Double(number)), end: .seconds(Double(number) + 0.9))
    }
    var changed: [Double] = [], unchanged: [Double] = [], blends: [Double] = []
    var standing: SubtitleLayer?
    for frame in 0..<kind.events.count * 24 {
        let point = MediaTime.seconds(Double(frame) / 24), isNew = frame % 24 == 0
        let taken = milliseconds { standing = renderer.layer(at: point) }
        // The first opens fonts, once a film.
        if frame >= 24 { if isNew || kind.moves { changed.append(taken) } else { unchanged.append(taken) } }
        if let standing { blends.append(milliseconds { standing.blend(onto: &picture) }) }
    }
    print(
        "\(kind.name): changed \(percentiles(changed)), unchanged \(percentiles(unchanged)), onto the picture \(percentiles(blends))"
    )
}

/// A picture of a disc: two lines of 1080p.
func measureImages(_ target: PixelSize) {
    var picture = RasterImage(width: target.width, height: target.height, fill: 0xFF40_6080)
    var indices = [UInt8](repeating: 0, count: 1400 * 160)
    for index in indices.indices where index / 7 % 3 == 0 { indices[index] = UInt8(1 + index % 3) }
    let image = SubtitleImage(
        width: 1400, height: 160, indices: indices, palette: [0, 0xFF00_0000, 0xFFFF_FFFF, 0x8080_8080], x: 260, y: 880,
        canvasSize: PixelSize(width: 1920, height: 1080), isForced: false)
    var scales: [Double] = [], blends: [Double] = []
    for _ in 0..<100 {
        var layer: SubtitleLayer?
        scales.append(milliseconds { layer = SubtitleScaler.layer(image, on: target, pixelAspect: 1) })
        if let layer { blends.append(milliseconds { layer.blend(onto: &picture) }) }
    }
    print("picture of a disc: changed \(percentiles(scales)), onto the picture \(percentiles(blends))")
}

do throws(MediaError) {
    for kind in kinds { try measure(kind, target) }
    measureImages(target)
    // The additional cost of copying the frame.
    var picture = RasterImage(width: target.width, height: target.height)
    var copies: [Double] = []
    for index in 0..<200 {
        let kept = picture
        copies.append(milliseconds { picture.pixels[index] = 0xFF00_0000 })
        withExtendedLifetime(kept) {}
    }
    print("a copy of the picture: \(percentiles(copies))")
} catch {
    print("\(error)")
    exit(1)
}
