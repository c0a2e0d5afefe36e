import AetherCore
import AetherEngine
import Testing

@Suite struct HashVideoSinkTests {
    /// A step is reckoned from the frame that is shown: who is told of a frame may ask for one at once.
    @Test func aFrameIsTheOneShownWhenItIsTold() {
        let told = Monitor<[MediaTime?]>([]), asked = Monitor<HashVideoSink?>(nil)
        let sink = HashVideoSink { _, _ in
            let shown = asked.read { $0 }?.lastShown?.pts
            told.update { $0.append(shown) }
        }
        asked.update { $0 = sink }
        for number in 1...3 {
            sink.show(
                VideoFrame(
                    pts: .seconds(Double(number)), duration: .milliseconds(40), epoch: Epoch(1), due: HostTime(nanoseconds: 0),
                    image: RasterImage(width: 1, height: 1, pixels: [0])))
        }
        #expect(told.read { $0 } == [.seconds(1), .seconds(2), .seconds(3)])
        asked.update { $0 = nil }
    }
}
