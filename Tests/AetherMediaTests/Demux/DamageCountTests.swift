import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherMedia

/// Damage that demuxers log without reporting it to their callers.
@Suite struct DamageCountTests {
    /// A file beside which, at its last read, another one is read on a thread of its own.
    private final class Accompanied: IOReader {
        private let file: any IOReader
        private let beside: @Sendable () -> Void
        let calls = Atomic(0)

        init(_ file: any IOReader, beside: @escaping @Sendable () -> Void) {
            self.file = file
            self.beside = beside
        }

        func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
            calls.wrappingAdd(1, ordering: .relaxed)
            WorkerThread(name: "test-beside", beside).join()
            return try file.read(buffer)
        }
        func seek(to offset: Int64) throws(IOReaderError) { try file.seek(to: offset) }
        var size: Int64? { file.size }
        var isSeekable: Bool { file.isSeekable }
        func cancel() { file.cancel() }
        func resume() { file.resume() }
        func close() { file.close() }
        func makeIndependentReader() -> (any IOReader)? { nil }
    }

    private func film(seconds: Int) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(seconds)", "-c:v", "libx264", "-preset", "ultrafast"], ext: "mkv")
    }

    /// Reads all of a source; returns how many damaged places there were.
    private static func damage(_ input: MediaInput) throws -> Int {
        var demuxer = try Demuxer(input, interrupt: Interrupt())
        _ = try DecodedSource.allPackets(&demuxer)
        return demuxer.damageCount
    }

    @Test func aComplaintAboutAnotherFileIsNotAboutThisOne() throws {
        let folder = try TemporaryFolder()
        let cut = folder.path("cut.mkv"), whole = try Data(contentsOf: URL(fileURLWithPath: try film(seconds: 2)))
        try whole.prefix(whole.count * 2 / 3).write(to: URL(fileURLWithPath: cut))
        #expect(try Self.damage(try reading(cut)) > 0)
        let complained = Atomic(0)
        let file = try #require(try MediaLocation.file(try film(seconds: 2)).openReader())
        let reader = Accompanied(file) {
            let count = (try? reading(cut)).flatMap { try? Self.damage($0) } ?? 0
            complained.wrappingAdd(count, ordering: .relaxed)
        }
        #expect(try Self.damage(.reader(reader, name: "whole")) == 0)
        #expect(reader.calls.load(ordering: .relaxed) > 1 && complained.load(ordering: .relaxed) > 1)
    }
}
