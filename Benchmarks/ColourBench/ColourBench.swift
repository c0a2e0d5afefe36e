import AetherCore
import AetherMedia
import AetherSources
import Glibc

/// Measures the time that scaling and converting video frames takes: aether-bench-colour FILE WIDTH HEIGHT [ROUNDS] [auto|bt2390|hable|off]
/// [PPM]. Decodes 24 frames and scales each of them ROUNDS times (5); prints the median, the 95th percentile and a checksum. Times are CPU
/// times of the thread, so that other processes count little. The last frame is written to PPM, to be looked at.
@main
enum ColourBench {
    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("aether-bench-colour: \(error)")
        }
    }

    private static func run(_ words: [String]) throws {
        guard words.count >= 3, let width = Int(words[1]), let height = Int(words[2]),
            let reader = try MediaLocation.file(words[0]).openReader()
        else {
            print("usage: aether-bench-colour FILE WIDTH HEIGHT [ROUNDS] [auto|bt2390|hable|off] [PPM]")
            return
        }
        let rounds = words.count > 3 ? Int(words[3]) ?? 5 : 5
        let size = PixelSize(width: width, height: height)
        var demuxer = try Demuxer(.reader(reader, name: words[0]), interrupt: Interrupt())
        guard let stream = demuxer.info.decodable(.video).first else { return print("no picture in it") }
        demuxer.select([stream.index])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 2)
        var scaler = RasterScaler()
        if words.count > 4, let mapping = ToneMapping(rawValue: words[4]) { scaler.toneMapping = mapping }
        var costs: [Double] = []
        var last = RasterImage(width: 0, height: 0)
        var sum: UInt64 = 0, pictures = 0, format = VideoFormat.sdr
        while pictures < 24 {
            do throws(MediaError) {
                _ = try decoder.send(try demuxer.read(epoch: Epoch()))
            } catch {
                guard error.code == .endOfMedia else { throw error }
                break
            }
            while let frame = try decoder.receive() {
                pictures += 1
                format = frame.videoFormat
                for _ in 0..<max(1, rounds) {
                    let began = threadMilliseconds()
                    let image = try scaler.scale(frame, to: size)
                    costs.append(threadMilliseconds() - began)
                    last = image
                    for pixel in image.pixels { sum = sum &* 31 &+ UInt64(pixel) }
                }
            }
        }
        if words.count > 5 { write(last, to: words[5]) }
        costs.sort()
        guard !costs.isEmpty else { return print("no picture came out") }
        let at = { (share: Double) in (costs[Int(Double(costs.count - 1) * share)] * 1000).rounded() / 1000 }
        print("\(format.name) \(pictures) pictures to \(width)x\(height): median \(at(0.5)) ms, p95 \(at(0.95)) ms, sum \(sum)")
    }

    private static func threadMilliseconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) * 1000 + Double(now.tv_nsec) / 1e6
    }

    private static func write(_ image: RasterImage, to path: String) {
        guard let file = fopen(path, "wb") else { return print("cannot write \(path)") }
        let header = Array("P6 \(image.width) \(image.height) 255\n".utf8)
        let bytes = header + image.pixels.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255)] }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
