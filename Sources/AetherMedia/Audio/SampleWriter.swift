import AetherCore

/// Float samples to a device's sample type, native endian. What is beyond full scale is clamped; NaN becomes silence.
enum SampleWriter {
    static func append(_ samples: [Float], as type: AudioFormat.Sample, to bytes: inout [UInt8]) {
        switch type {
        case .float32: append(samples, to: &bytes) { $0.isNaN ? 0 : $0 }
        case .int16: append(samples, to: &bytes) { Int16(max(-32768, min(32767, ($0.isNaN ? 0 : $0 * 32768).rounded()))) }
        case .int32:
            append(samples, to: &bytes) {
                Int32(max(-2_147_483_648, min(2_147_483_647, (Double($0.isNaN ? 0 : $0) * 2_147_483_648).rounded())))
            }
        }
    }

    private static func append<Sample: BitwiseCopyable>(
        _ samples: [Float], to bytes: inout [UInt8], _ convert: (Float) -> Sample
    ) {
        let start = bytes.count
        let size = MemoryLayout<Sample>.size
        bytes.append(contentsOf: repeatElement(0, count: samples.count * size))
        bytes.withUnsafeMutableBytes { buffer in
            for (index, sample) in samples.enumerated() {
                buffer.storeBytes(of: convert(sample), toByteOffset: start + index * size, as: Sample.self)
            }
        }
    }
}
