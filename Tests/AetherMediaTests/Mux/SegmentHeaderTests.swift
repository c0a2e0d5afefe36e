import Testing

@testable import AetherMedia

@Suite("Changes in an init section")
struct SegmentHeaderTests {
    private func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let size = body.count + 8
        return (0..<4).map { UInt8(size >> (24 - 8 * $0) & 255) } + Array(name.utf8) + body
    }

    /// An init section whose `dec3` has this body; `entry`: the fields before it in the sample entry.
    private func header(_ body: [UInt8], name: String = "dec3", entry: Int = 28) -> [UInt8] {
        var bytes = box("ec-3", [UInt8](repeating: 7, count: entry) + box(name, body))
        bytes = box("stsd", [UInt8](repeating: 0, count: 8) + bytes)
        bytes = box("minf", box("vmhd", [1]) + box("stbl", box("free", []) + bytes))
        return box("ftyp", [9, 9]) + box("moov", box("mvhd", [2]) + box("trak", box("mdia", bytes))) + box("free", [3])
    }

    @Test("Atmos adds two bytes to dec3, and every box around it grows by them")
    func atmos() {
        var bytes = header([1, 2, 3])
        SegmentHeader.addAtmos(to: &bytes, complexity: 16)
        #expect(bytes == header([1, 2, 3, 1, 16]))
    }

    @Test("A header without that box, or cut off anywhere, is left alone")
    func missing() {
        let whole = header([1, 2, 3])
        var others = [header([1, 2, 3], name: "esds"), header([], entry: 4)]
        // Without the boxes around it, dec3 is not found; behind `free` nothing is missing.
        others += (0..<whole.count - 9).map { Array(whole[..<$0]) }
        for other in others {
            var bytes = other
            SegmentHeader.addAtmos(to: &bytes, complexity: 16)
            #expect(bytes == other)
        }
    }
}
