import AetherRender
import Testing

@Suite struct ByteBufferTests {
    @Test func growsAndKeepsWhatItHolds() {
        var buffer = ByteBuffer(capacity: 0)
        for index in 0..<10_000 { buffer.append(UInt8(truncatingIfNeeded: index)) }
        let count = buffer.count
        #expect(count == 10_000)
        let kept = buffer.withUnsafeBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0) } }
        #expect(kept)
        buffer.removeAll()
        let isEmpty = buffer.isEmpty
        #expect(isEmpty)
    }

    @Test(arguments: [(0, "0"), (7, "7"), (10, "10"), (255, "255"), (65_536, "65536"), (-3, "0"), (.max, "9223372036854775807")])
    func writesDecimals(value: Int, digits: String) {
        var buffer = ByteBuffer()
        buffer.append("\u{1B}[")
        buffer.append(decimal: value)
        let text = buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == "\u{1B}[" + digits)
    }
}
