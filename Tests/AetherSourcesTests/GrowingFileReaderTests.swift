import AetherCore
import AetherTestSupport
import Glibc
import Testing

@testable import AetherSources

/// A file that is read while it is written.
@Suite struct GrowingFileReaderTests {
    @Test(
        arguments: [
            (true, 0.0, false, 15.0), (true, 10, false, 5), (true, 15, true, nil), (true, -3, false, 15), (false, 0, true, nil),
            (nil, 0, false, nil), (nil, 0, true, 5), (nil, 6, true, nil),
        ] as [(Bool?, Double, Bool, Double?)])
    func waitsForAWriterThatWrites(hasWriter: Bool?, age: Double, hasGrown: Bool, wait: Double?) {
        #expect(
            GrowthPolicy.wait(hasWriter: hasWriter, age: .seconds(age), hasGrown: hasGrown) == wait.map { TimeSpan.seconds($0) })
    }

    private func bytes(_ reader: GrowingFileReader) throws -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 16)
        let count = try room.withUnsafeMutableBytes { try reader.read($0) }
        return Array(room.prefix(count))
    }

    /// A file with a writer that is given up at the end of the test.
    private final class Writer: Sendable {
        let descriptor: Int32
        private let isOpen = Monitor(true)
        init(_ path: String) { descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        deinit { finish() }
        func write(_ text: String) { #expect(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count) }
        func finish() {
            isOpen.update { isOpen in
                if isOpen { close(descriptor) }
                isOpen = false
            }
        }
    }

    @Test func waitsAtTheEndForWhatIsWrittenThere() throws {
        let folder = try TemporaryFolder(), path = folder.path("a"), writer = Writer(path)
        writer.write("one")
        let reader = try GrowingFileReader(path: path, patience: .seconds(600))
        // Where the file system has no leases, nobody can tell who writes.
        guard reader.isGrowing else { return }
        reader.follow()
        #expect(try bytes(reader) == Array("one".utf8))
        let read = Monitor<[[UInt8]]>([])
        let thread = WorkerThread(name: "test-read") {
            for _ in 0..<2 {
                let next = (try? bytes(reader)) ?? [0]
                read.update { $0.append(next) }
            }
        }
        writer.write("two")
        let first: [UInt8]? = read.wait(until: SystemTime().now() + .seconds(60)) { $0.first }
        #expect(first == Array("two".utf8))
        writer.finish()
        thread.join()
        #expect(read.read { $0.last } == [], "nobody writes any more")
        #expect(!reader.isGrowing && reader.size == 6)
    }

    @Test func itEndsWhereItIsUntilItFollows() throws {
        let folder = try TemporaryFolder(), path = folder.path("a"), writer = Writer(path)
        let reader = try GrowingFileReader(path: path)
        #expect(try bytes(reader).isEmpty)
        writer.write("x")
        #expect(try bytes(reader) == Array("x".utf8) && bytes(reader).isEmpty)
    }

    @Test func aCancelEndsTheWait() throws {
        let folder = try TemporaryFolder(), path = folder.path("a"), writer = Writer(path)
        let reader = try GrowingFileReader(path: path, patience: .seconds(600))
        guard reader.isGrowing else { return }
        reader.follow()
        let outcome = Monitor<IOReaderError?>(nil)
        let thread = WorkerThread(name: "test-read") {
            do {
                _ = try bytes(reader)
            } catch {
                outcome.update { $0 = error as? IOReaderError }
            }
        }
        reader.cancel()
        thread.join()
        #expect(outcome.read { $0 } == .cancelled)
        reader.resume()
        writer.write("x")
        #expect(try bytes(reader) == Array("x".utf8))
    }

    @Test func aFileThatNobodyWritesEndsAtOnce() throws {
        let folder = try TemporaryFolder(), path = folder.path("a")
        do {
            let writer = Writer(path)
            writer.write("x")
            // A writer that has written nothing for a minute hangs.
            var times = [timespec(tv_sec: time(nil) - 60, tv_nsec: 0), timespec(tv_sec: time(nil) - 60, tv_nsec: 0)]
            #expect(futimens(writer.descriptor, &times) == 0)
            let reader = try GrowingFileReader(path: path)
            #expect(try !reader.isGrowing && bytes(reader) == [UInt8(ascii: "x")] && bytes(reader).isEmpty)
        }
        let reader = try GrowingFileReader(path: path)
        #expect(try !reader.isGrowing && bytes(reader).count == 1 && bytes(reader).isEmpty)
    }

    /// Looking for a writer must not disturb one that opens the file at that moment.
    @Test func whoOpensTheFileMeanwhileIsNotHarmed() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(), path = folder.path("a")
            Writer(path).write("x")
            let reader = try GrowingFileReader(path: path)
            let opener = WorkerThread(name: "test-open") { for _ in 0..<2000 { Writer(path).write("y") } }
            for _ in 0..<2000 { _ = reader.isGrowing }
            opener.join()
        }
    }
}
