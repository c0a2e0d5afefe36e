import AetherCore
import AetherEngine

/// The Audio tab: what the meters say. A value; time is an argument.
struct AudioPage: Sendable {
    private(set) var view = AudioView()
    /// The curves of the last seconds; nil without any.
    private(set) var image: RasterImage?
    /// Rises with each image.
    private(set) var number = 0
    /// The largest sample of each channel in the last two seconds, which the eye can follow.
    private(set) var held: [(peak: Double, since: HostTime)] = []
    private var drawnAt: HostTime?
    private var curvesAt: HostTime?

    /// Ten times a second: faster no meter is read.
    static let interval = TimeSpan.milliseconds(100)
    /// An image costs more than words: four a second, of half the pixels each way.
    private static let curvesInterval = TimeSpan.milliseconds(250)
    private static let hold = TimeSpan.seconds(2)

    /// The time at which it looks different next.
    func due(after now: HostTime) -> HostTime { max(now, drawnAt.map { $0 + Self.interval } ?? now) }

    /// Takes in what is heard now. `box`: room for the curves.
    mutating func take(_ view: AudioView, box: PixelSize?, at now: HostTime) {
        drawnAt = now
        guard view != self.view || image == nil else { return }
        for (channel, level) in (view.reading?.levels ?? []).enumerated() {
            if !held.indices.contains(channel) { held.append((level.peak, now)) }
            if level.peak >= held[channel].peak || now - held[channel].since > Self.hold { held[channel] = (level.peak, now) }
        }
        self.view = view
        guard curvesAt.map({ now - $0 >= Self.curvesInterval }) ?? true || box == nil else { return }
        curvesAt = now
        image = box.flatMap { AudioCurves.image(view.columns, in: PixelSize(width: $0.width / 2, height: $0.height / 2)) }
        number += 1
    }
}

/// The last seconds of audio as an image: the waveform above its spectrogram. Pure.
enum AudioCurves {
    private static let ground = RasterImage.rgb(16, 16, 16), wave = RasterImage.rgb(110, 200, 255)

    /// The newest at the right; nil where there is no room.
    static func image(_ columns: [AudioColumn], in box: PixelSize) -> RasterImage? {
        guard box.width >= 16, box.height >= 24 else { return nil }
        var image = RasterImage(width: box.width, height: box.height, fill: ground)
        let waveRows = box.height / 3, first = waveRows + 4, rows = box.height - first
        for x in 0..<box.width {
            let place = columns.count - AudioScope.shown + x * AudioScope.shown / box.width
            guard columns.indices.contains(place) else { continue }
            let column = columns[place]
            func row(_ value: Float) -> Int {
                min(waveRows - 1, max(0, Int((1 - min(1, max(-1, value))) / 2 * Float(waveRows - 1))))
            }
            for y in row(column.most)...max(row(column.most), row(column.least)) { image.pixels[y * box.width + x] = wave }
            for y in 0..<rows {
                let band = (rows - 1 - y) * AudioColumn.bandCount / rows
                image.pixels[(first + y) * box.width + x] = heats[Int(column.bands[band])]
            }
        }
        return image
    }

    private static let heats = (0...255).map { heat(UInt8($0)) }

    /// From black over violet and orange to white.
    static func heat(_ level: UInt8) -> UInt32 {
        let x = Double(level) / 255
        func part(_ from: Double, _ to: Double) -> UInt8 { UInt8(min(1, max(0, (x - from) / (to - from))) * 255) }
        let blue = x < 0.4 ? part(0, 0.4) / 2 : x < 0.75 ? 127 - part(0.4, 0.75) / 2 : part(0.75, 1)
        return RasterImage.rgb(part(0.15, 0.6), part(0.45, 0.9), blue)
    }
}
