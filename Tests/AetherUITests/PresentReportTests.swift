import AetherCore
import AetherEngine
import Testing

@testable import AetherUI

@Suite("The presenter's report")
struct PresentReportTests {
    private func frame(_ pts: Double) -> VideoFrame {
        VideoFrame(
            pts: .seconds(pts), duration: .milliseconds(40), epoch: Epoch(3), due: HostTime(nanoseconds: 7),
            image: RasterImage(width: 1, height: 1, pixels: [0]))
    }

    @Test("Bytes without a frame are counted and leave the frame on screen as it was")
    func written() {
        var report = PresentReport()
        report.noteWritten(nil, bytes: 10, at: HostTime(nanoseconds: 5))
        #expect(report.shown == nil && report.statistics.framesShown == 0 && report.statistics.bytesWritten == 10)
        report.noteWritten(frame(2), bytes: 30, at: HostTime(nanoseconds: 9))
        report.noteWritten(nil, bytes: 40, at: HostTime(nanoseconds: 11))
        #expect(report.statistics.framesShown == 1 && report.statistics.bytesWritten == 40)
        let shown = ShownFrame(
            pts: .seconds(2), epoch: Epoch(3), shownAt: HostTime(nanoseconds: 9), due: HostTime(nanoseconds: 7))
        #expect(report.shown == shown)
    }

    @Test("A replaced frame is the terminal's fault while it takes nothing, else that of encoding")
    func replaced() {
        var report = PresentReport()
        report.noteReplaced(whileBlocked: true)
        report.noteReplaced(whileBlocked: true)
        report.noteReplaced(whileBlocked: false)
        #expect(report.statistics.droppedSlowTerminal == 2 && report.statistics.droppedSlowEncode == 1)
    }
}
