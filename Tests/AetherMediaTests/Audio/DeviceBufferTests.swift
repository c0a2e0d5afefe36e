import AetherCore
import Testing

@testable import AetherMedia

@Suite struct DeviceBufferTests {
    @Test func itGrowsAStepAfterEachUnderrunAndNoFurtherThanASecond() {
        var buffer = DeviceBuffer(), spans = [buffer.span.milliseconds]
        while buffer.grow(), spans.count < 10 { spans.append(buffer.span.milliseconds) }
        #expect(spans == [250, 500, 900])
        #expect(!buffer.grow() && buffer.span == .milliseconds(900))
    }

    @Test func aDeviceKeepsWhatItHasLearntAndAnotherDoesNot() {
        let name = "a device of DeviceBufferTests"
        #expect(DeviceBuffers.span(of: name) == .milliseconds(250))
        #expect(DeviceBuffers.grow(name) == .milliseconds(500))
        #expect(DeviceBuffers.span(of: name) == .milliseconds(500))
        #expect(DeviceBuffers.span(of: name + " beside it") == .milliseconds(250))
        #expect(DeviceBuffers.grow(name) == .milliseconds(900) && DeviceBuffers.grow(name) == nil)
    }
}
