import AetherCore
import AetherEngine
import AetherSources
import AetherTestSupport
import Glibc

// Whether a long film leaves memory, threads and descriptors as they were:
//
//   aether-bench-soak CLIP untimed|4|2|1 [SECONDS [CACHE-BYTES]]
//
// `untimed` shows every picture as soon as it is decoded, without sound; a number plays at that speed against the silent device, which keeps
// real time. Looks ten times a second, ends with the clip or after SECONDS, and compares what is held in the tenth of the looks that begins
// when the cache has come to what it will be, with the last tenth. Exit status 1 where memory has grown by more than 2 MB, or a thread or descriptor is left over.

/// The resources that this process holds.
struct Holding {
    /// Bytes of the heap in use, and pages in memory that belong to nobody else: of the libraries' files as many are in memory as the
    /// system has room for.
    let heap, resident: Int
    /// Ours and those of libraries, and those that Swift's own pool made for tasks: up to one a core, when it likes.
    let threads, poolThreads: Int
    let descriptors: Int

    init() {
        heap = HeapUse.bytes
        resident = Holding.figure("/proc/self/status", "RssAnon:") << 10
        let all = Holding.figure("/proc/self/status", "Threads:")
        poolThreads = Holding.entries("/proc/self/task") { number in
            Holding.text("/proc/self/task/\(number)/comm").contains("-qos")
        }
        threads = all - poolThreads
        descriptors = Holding.entries("/proc/self/fd")
    }

    private static func figure(_ path: String, _ key: String) -> Int {
        guard let file = fopen(path, "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix(key) {
                return text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
            }
        }
        return 0
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, 64, file) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func entries(_ path: String, where counts: (String) -> Bool = { _ in true }) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if counts(name) { count += 1 }
        }
        return count
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 2, arguments[2] == "untimed" || Double(arguments[2]) != nil else {
    print("usage: aether-bench-soak CLIP untimed|4|2|1 [SECONDS [CACHE-BYTES]]")
    exit(2)
}
HeapLayout.mapLargeBlocks()
let limit = arguments.count > 3 ? Double(arguments[3]) ?? .infinity : .infinity
var options = LoadOptions()
options.isUntimed = arguments[2] == "untimed"
options.audioOutput = options.isUntimed ? .none : .null
options.rate = Double(arguments[2]) ?? 1
if arguments.count > 4, let bytes = Int(arguments[4]) { options.cacheBytes = bytes }
let time = SystemTime(), woken = Monitor(0), sink = NullVideoSink()
let engine = AetherEngine(sink: sink, changed: { woken.update { $0 += 1 } })
engine.begin(.location(.file(arguments[1])), options: options)
do throws(MediaError) {
    _ = try engine.waitUntilOpened()
} catch {
    print("\(error)")
    exit(1)
}
let began = time.now()
var looks: [Holding] = [], cached: [Int] = [], counted = 0, told = began
// The memory for the samples is there from the start.
looks.reserveCapacity(1 << 17)
cached.reserveCapacity(1 << 17)
while true {
    let snapshot = engine.snapshot()
    if snapshot.phase == .ended || (time.now() - began).seconds > limit { break }
    looks.append(Holding())
    if time.now() - told > .seconds(30), let look = looks.last {
        told = time.now()
        print("\(Int(snapshot.position.seconds)) s: heap \(look.heap >> 10) KB, resident \(look.resident >> 10) KB")
        fflush(nil)
    }
    _ = woken.wait(until: time.now() + .milliseconds(100)) { _ -> Bool? in nil }
    cached.append(Int(snapshot.telemetry?.cachedBytes ?? 0))
    counted = max(counted, sink.statistics.framesShown)
}
let position = engine.snapshot().position
guard looks.count >= 40 else {
    print("too short: \(looks.count) looks")
    exit(1)
}
let most = cached.max() ?? 0
// A cache of a low bit rate takes half an hour of film to fill. Where it never does, the second tenth has to do.
let full = cached.firstIndex { $0 >= most - most / 50 } ?? 0
let first = full < looks.count / 2 ? max(full, looks.count / 10) : looks.count / 10
let early = looks[first..<first + looks.count / 10], late = looks.suffix(looks.count / 10)
func largest(_ looks: ArraySlice<Holding>, _ path: KeyPath<Holding, Int>) -> Int { looks.map { $0[keyPath: path] }.max() ?? 0 }
func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10) >> 20
    return "\(tenths / 10).\(tenths % 10) MB"
}
print(
    "\(Int(position.seconds)) s of film in \(Int((time.now() - began).seconds)) s, \(looks.count) looks, \(counted) pictures, cache \(megabytes(most)) from second \(first / 10) on"
)
print(
    "heap \(megabytes(largest(early, \.heap))) → \(megabytes(largest(late, \.heap))), resident \(megabytes(largest(early, \.resident))) → \(megabytes(largest(late, \.resident)))"
)
print(
    "threads \(largest(early, \.threads)) → \(largest(late, \.threads)) and of Swift's pool \(largest(early, \.poolThreads)) → \(largest(late, \.poolThreads)), descriptors \(largest(early, \.descriptors)) → \(largest(late, \.descriptors))"
)
func growth(_ path: KeyPath<Holding, Int>) -> Int { largest(late, path) - largest(early, path) }
let hasGrown = growth(\.heap) > 2 << 20 || growth(\.resident) > 2 << 20
let isLeft = growth(\.threads) > 0 || growth(\.descriptors) > 0
engine.shutDown()
exit(hasGrown || isLeft ? 1 : 0)
