@testable import AetherMedia

/// Dolby Vision's units: as they come, and behind a checksum made right, so that the numbers are reached.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDolbyVision(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var reader = DolbyVisionReader()
    check(reader.read(bytes))
    let sum = DolbyVisionReader.checksum(bytes)
    let body = bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) } + [0x80]
    check(reader.read([25] + body))
    check(reader.read([25] + body))
    return 0
}

/// What is read can be applied.
private func check(_ unit: DolbyVisionReader.Unit?) {
    guard let mapping = unit?.mapping else { return }
    let shaped = mapping.reshaped([0.2, 0.5, 0.8])
    precondition(shaped.min() >= 0 && shaped.max() <= 1)
    var planes = [UInt16](repeating: 12345, count: 40)
    var reshaper = Reshaper()
    planes.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { reshaper.apply(mapping, to: base, count: 8) } }
}
