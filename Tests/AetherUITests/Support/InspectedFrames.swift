import AetherCore
import Foundation

@testable import AetherEngine
@testable import AetherMedia
@testable import AetherUI

/// Finds of an inspection of frames and audio, made up.
enum InspectedFrames {
    /// Twelve frames around 1810 s, of which the fourth is shown: I B B P in the order of showing.
    static func look(cost: TimeSpan = .milliseconds(100)) -> FrameLook {
        var look = FrameLook()
        let orders = [1, 3, 4, 2, 6, 7, 5, 9, 10, 8, 12, 11],
            types: [FrameType] = [.intra, .bidirectional, .bidirectional, .predicted]
        look.frames = orders.enumerated().map { place, order in
            let type = place == 0 ? .intra : types[place % 3 == 0 ? 3 : 1]
            return CodedFrame(
                decodeOrder: order, pts: .seconds(1809.88 + Double(place) / 25), dts: .seconds(1809.8 + Double(order) / 25),
                isKey: place == 0, type: type, byteCount: 54321 / order, quantiser: 20 + Double(place), quantiserEnds: 18...40,
                vectorCount: place == 0 ? 0 : 1200, isReference: place % 3 == 0, decodeTime: .milliseconds(4.25))
        }
        (look.shown, look.time, look.codec, look.decoder) = (3, .seconds(1810), "h264", "h264")
        look.size = PixelSize(width: 640, height: 360)
        look.vectors = [MotionVector(x: 320, y: 180, fromX: 360, fromY: 180, width: 16, height: 16, isFromLater: false)]
        look.image = RasterImage(width: 320, height: 180)
        look.cost = cost
        return look
    }

    /// As it was asked for at 1810 s.
    static func view(levels: Bool, cost: TimeSpan = .milliseconds(100), number: Int = 1) -> FrameView {
        var wish = FrameWish(point: .seconds(1810), wantsLevels: levels, box: PixelSize(width: 320, height: 180))
        wish.wantsLevels = levels
        return FrameView(FrameRequest(wish), look(cost: cost), number: number)
    }

    /// Two channels, not quite alike.
    static var audio: AudioView {
        var meter = AudioMeter(AudioFormat(sampleRate: 8000, channelCount: 2))
        let samples = (0..<8000).flatMap { index -> [Float] in
            let value = Float(sin(2 * Double.pi * 500 * Double(index) / 8000))
            return [value * 0.5, value * 0.25]
        }
        var view = AudioView()
        view.reading = meter.take(samples, start: 1809).last
        view.clock = (0..<50).map {
            ClockReading(
                host: at(Double($0) / 50), error: .milliseconds($0 % 2 == 0 ? 0.5 : -0.5), delay: .milliseconds(42), drift: 12,
                correction: Double($0), isStep: false)
        }
        return view
    }
}
