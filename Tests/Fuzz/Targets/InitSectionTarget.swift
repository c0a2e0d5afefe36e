@testable import AetherServe

/// Init sections of MP4: what a playlist states of them can stand in one.
func fuzzInitSection(_ input: UnsafeBufferPointer<UInt8>) {
    let facts = InitFacts(Array(input))
    for name in [facts.codecs, facts.supplemental ?? ""] {
        precondition(name.utf8.count <= 64 && name.utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x2C })
    }
    precondition(["SDR", "PQ", "HLG"].contains(facts.range))
}
