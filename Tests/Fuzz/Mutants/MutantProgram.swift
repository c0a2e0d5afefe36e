import AetherFormats
import Glibc

/// Mutants of the files of a folder, each looked into by all inspectors: `aether-mutants COUNT FOLDER [SEED] [FIRST]`. Mutant N is the same
/// in each run of a seed, whichever is the first: what stops the process says its number. More than 64 MB of data are more than there is.
@main struct MutantProgram {
    /// Bytes of data that the process may have.
    private static let room = 64 << 20
    /// The longest file that is taken: a mutant is at most half as long again.
    private static let longest = 1 << 20
    /// Seconds of CPU that one mutant may take.
    private static let patience = 10

    static func main() {
        let words = CommandLine.arguments
        guard words.count >= 3, let count = Int(words[1]), count > 0 else {
            print("usage: aether-mutants COUNT FOLDER [SEED] [FIRST]")
            exit(2)
        }
        let seed = words.count > 3 ? UInt64(words[3]) ?? 1 : 1, first = words.count > 4 ? Int(words[4]) ?? 0 : 0
        let files = names(in: words[2]).sorted()
        let seeds = files.filter { name in bytes(of: name).flatMap { ContainerInspection(InspectedBytes($0)) } != nil }
        guard !seeds.isEmpty else {
            print("\(words[2]) has no file that an inspector reads")
            exit(2)
        }
        print("\(seeds.count) of \(files.count) files are seeds")
        watch()
        run(first..<first + count, of: seeds, seed)
    }

    /// Equally many of each file, one file after the other: the mutants of `range`, whatever came before.
    private static func run(_ range: Range<Int>, of seeds: [String], _ seed: UInt64) {
        var open: (number: Int, mutant: FileMutant)?, done = 0, longest = 0
        // A run of this many stays at one file.
        let stride = 100
        for number in range {
            let file = number / stride % seeds.count
            if open?.number != file {
                let found = bytes(of: seeds[file]) ?? []
                open = (file, FileMutant(of: found, places: places(found)))
            }
            var random = SeededRandom(seed: seed &* 0x1_0000_0001 &+ UInt64(number))
            let mutant = open?.mutant.next(using: &random) ?? []
            longest = max(longest, mutant.count)
            present.store(number)
            wait(patience)
            mutant.withUnsafeBufferPointer(fuzzInspection)
            done += 1
            if done.isMultiple(of: 50_000) { report(done, longest) }
        }
        wait(0)
        report(done, longest)
        print("nothing failed")
    }

    private static func report(_ done: Int, _ longest: Int) {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        print(
            "\(done) mutants, the longest \(longest) bytes, \(usage.ru_utime.tv_sec) s of CPU, peak \(usage.ru_maxrss) KB resident"
        )
        fflush(nil)
    }

    /// Where the seed's parts and their fields begin.
    private static func places(_ bytes: [UInt8]) -> [Int] {
        var places = Array(0..<min(64, bytes.count))
        func add(_ box: InspectedBox) {
            guard places.count < 100_000 else { return }
            let head = max(8, box.headLength), body = box.children.isEmpty ? min(64, Int(box.size)) : head
            places += Int(box.offset)..<Int(box.offset) + max(head, body)
            box.children.forEach(add)
        }
        ContainerInspection(InspectedBytes(bytes))?.boxes.forEach(add)
        return places
    }

    // MARK: - The process

    /// Says which mutant it was where the process is stopped, and bounds its memory.
    private static func watch() {
        var limit = rlimit(rlim_cur: rlim_t(room), rlim_max: rlim_t(room))
        guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else {
            print("the memory cannot be bounded")
            exit(2)
        }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGPROF] {
            Glibc.signal(signal) { number in
                present.tell(number)
                _exit(1)
            }
        }
    }

    /// Ends the process after so many seconds of CPU from now on, however long others hold the machine; 0: never.
    private static func wait(_ seconds: Int) {
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            switch Int32(entry.pointee.d_type) {
            case 4: names += Self.names(in: path)
            case 8: names.append(path)
            default: break
            }
        }
        return names
    }

    /// The bytes of a file; nil where it is empty, too long or cannot be read.
    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: longest + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        return count > 0 && count <= longest ? Array(bytes.prefix(count)) : nil
    }
}

/// The number of the mutant that is looked at, for the handler of a signal, which may use neither locks nor memory of Swift's.
private struct PresentMutant: Sendable {
    /// The address of the number, which is never given back.
    private let place: UInt

    init() {
        let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        number.initialize(to: 0)
        place = UInt(bitPattern: number)
    }

    /// Writes it down.
    func store(_ number: Int) { UnsafeMutablePointer<Int>(bitPattern: place)?.pointee = number }

    /// Says it. Safe in a handler.
    func tell(_ signal: Int32) {
        let number = UnsafeMutablePointer<Int>(bitPattern: place)?.pointee ?? 0
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { text in
            var length = 0
            func put(_ byte: UInt8) { (text[length], length) = (byte, length + 1) }
            for byte in StaticString("signal ").bytes { put(byte) }
            put(UInt8(48 + signal / 10))
            put(UInt8(48 + signal % 10))
            for byte in StaticString(" at mutant ").bytes { put(byte) }
            var divisor = 1_000_000_000_000
            while divisor > 0 {
                put(UInt8(48 + number / divisor % 10))
                divisor /= 10
            }
            put(10)
            write(2, text.baseAddress, length)
        }
    }
}

extension StaticString {
    fileprivate var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}

private let present = PresentMutant()
