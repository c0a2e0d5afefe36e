import Testing

@testable import AetherMedia

/// Units of Dolby Vision are taken out of packets of HEVC.
@Suite struct BaseLayerTests {
    /// A unit of a type, of so many bytes.
    private static func unit(_ type: UInt8, _ count: Int = 4) -> [UInt8] {
        [type << 1, 1] + [UInt8](repeating: type, count: max(0, count - 2))
    }

    private static func packet(_ types: [UInt8], _ prefix: (Int) -> [UInt8]) -> [UInt8] {
        types.flatMap { type in
            let unit = unit(type)
            return prefix(unit.count) + unit
        }
    }

    private static let lists: [([UInt8], [UInt8]?)] = [
        ([35, 1], nil), ([35, 1, 62], [35, 1]), ([32, 33, 34, 19, 63, 62], [32, 33, 34, 19]), ([63, 1, 62, 1], [1, 1]),
        ([62], []),
        ([], nil),
    ]

    @Test(arguments: lists)
    func otherUnitsStay(_ types: [UInt8], _ kept: [UInt8]?) {
        var record = [UInt8](repeating: 0, count: 23)
        (record[0], record[21]) = (1, 3)
        let lengths = HEVCUnits(header: record), codes = HEVCUnits(header: [])
        func length(_ count: Int) -> [UInt8] { [0, 0, 0, UInt8(count)] }
        func code(_ count: Int) -> [UInt8] { [0, 0, 1] }
        let framed = Self.packet(types, length).withUnsafeBytes { lengths.baseLayer(of: $0) }
        #expect(framed == kept.map { Self.packet($0, length) })
        let started = Self.packet(types, code).withUnsafeBytes { codes.baseLayer(of: $0) }
        #expect(started == kept.map { Self.packet($0, code) })
    }

    @Test func cutOffPacketsAreNoTrap() {
        var record = [UInt8](repeating: 0, count: 23)
        (record[0], record[21]) = (1, 3)
        let whole = Self.packet([35, 63, 1]) { [0, 0, 0, UInt8($0)] }
        for count in 0...whole.count {
            _ = Array(whole.prefix(count)).withUnsafeBytes { HEVCUnits(header: record).baseLayer(of: $0) }
            _ = Array(whole.prefix(count)).withUnsafeBytes { HEVCUnits(header: []).baseLayer(of: $0) }
        }
    }
}
