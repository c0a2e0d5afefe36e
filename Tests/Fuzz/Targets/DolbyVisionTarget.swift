import AetherFormats

@testable import AetherMedia

/// Dolby Vision's units: as they come, and behind a checksum made right, so that the numbers are reached.
func fuzzDolbyVision(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    var reader = DolbyVisionReader()
    check(reader.read(bytes))
    let sum = MPEGChecksum.of(bytes)
    let body = bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) } + [0x80]
    check(reader.read([25] + body))
    check(reader.read([25] + body))
    lookForUnits(bytes)
}

/// The bytes as a packet of HEVC, with start codes and with lengths of two bytes.
private func lookForUnits(_ bytes: [UInt8]) {
    for header in [[], [UInt8](repeating: 1, count: 23)] as [[UInt8]] {
        let units = HEVCUnits(header: header)
        let unit = bytes.withUnsafeBytes { units.metadata(in: $0) }
        precondition((unit?.count ?? 0) <= DolbyVisionReader.sizeLimit)
        _ = bytes.withUnsafeBytes { units.hasWrappedLayer($0) }
        _ = unit.map { DolbyVisionReader.isOfTwoLayers(nal: Array($0.dropFirst(2))) }
    }
}

/// A mapping that was read can be applied.
private func check(_ unit: DolbyVisionReader.Unit?) {
    guard let mapping = unit?.mapping else { return }
    let shaped = mapping.reshaped([0.2, 0.5, 0.8])
    precondition(shaped.min() >= 0 && shaped.max() <= 1)
    var planes = [UInt16](repeating: 12345, count: 40)
    var reshaper = Reshaper()
    planes.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { reshaper.apply(mapping, to: base, count: 8) } }
}
