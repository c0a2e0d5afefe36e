/// Samples that count up: frames of one channel of 32 bits. Tests without optimisation take five times as long to make them.
public enum NumberedSamples {
    /// Appends the bytes of so many samples.
    public static func append(_ first: Int32, count: Int, to bytes: inout [UInt8]) {
        [Int32](first..<first + Int32(count)).withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}
