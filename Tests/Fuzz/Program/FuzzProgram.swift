import AetherFuzz
import Glibc

/// The parser that this run is for, by its name in `AETHER_FUZZ_TARGET`.
private let target: FuzzTarget = {
    if let name = getenv("AETHER_FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name)) { return target }
    print("AETHER_FUZZ_TARGET is one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
    exit(2)
}()

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(UnsafeBufferPointer(start: start, count: count))
    return 0
}
