import AetherCore
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherSources

/// The duties of every reader, whatever the source of its bytes.
enum ReaderKind: String, CaseIterable, Sendable {
    case file, fileDescriptor, memory, pipe, fifo, web
    /// One that gives less than it is asked for, and a writer that lets one byte follow the other.
    case short, slow

    var isSeekable: Bool { ![.pipe, .fifo, .slow].contains(self) }

    /// A reader over the bytes. Pipes are filled at once, so the bytes must fit into one (64 KiB).
    func make(_ bytes: [UInt8]) throws -> any IOReader {
        switch self {
        case .memory: return MemoryReader(bytes)
        case .short: return ShortReader(MemoryReader(bytes))
        case .slow:
            let pipe = try PipeEnds(), writer = pipe.writer
            // Ends by itself: the bytes fit into the pipe.
            _ = WorkerThread(name: "slow writer") {
                // The reader may be gone before.
                var broken = sigset_t()
                sigemptyset(&broken)
                sigaddset(&broken, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &broken, nil)
                for byte in bytes {
                    var byte = byte
                    guard write(writer, &byte, 1) == 1 else { break }
                }
                close(writer)
            }
            return PipeReader(descriptor: pipe.reader, owning: true)
        case .file:
            let path = try temporaryFile(bytes)
            defer { unlink(path) }
            return try FileReader(path: path)
        case .fileDescriptor:
            let path = try temporaryFile(bytes)
            defer { unlink(path) }
            let descriptor = open(path, O_RDONLY)
            defer { close(descriptor) }
            return try FileReader(descriptor: descriptor)
        case .web:
            let reader = try HostedReader(bytes)
            try reader.open()
            return reader
        case .pipe:
            let pipe = try filledPipe(bytes)
            close(pipe.writer)
            return PipeReader(descriptor: pipe.reader, owning: true)
        case .fifo:
            let path = temporaryPath()
            #expect(mkfifo(path, 0o600) == 0)
            defer { unlink(path) }
            let reader = try #require(try MediaLocation.file(path).openReader())
            let writer = open(path, O_WRONLY)
            try writeAll(writer, bytes)
            close(writer)
            return reader
        }
    }
}

/// A reader that gives 7 bytes at most, as callers must expect of any.
final class ShortReader: IOReader {
    private let reader: any IOReader

    init(_ reader: any IOReader) { self.reader = reader }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        try reader.read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(7)))
    }
    func seek(to offset: Int64) throws(IOReaderError) { try reader.seek(to: offset) }
    var size: Int64? { reader.size }
    var isSeekable: Bool { reader.isSeekable }
    func cancel() { reader.cancel() }
    func resume() { reader.resume() }
    func close() { reader.close() }
    func makeIndependentReader() -> (any IOReader)? { reader.makeIndependentReader().map { ShortReader($0) } }
}

/// A reader of a web server that lives as long as it does.
final class HostedReader: IOReader {
    private let origin: TestOrigin
    private let loop = TransferLoop()
    private let reader: HTTPReader

    init(_ bytes: [UInt8]) throws {
        origin = try TestOrigin(["/film": .bytes(bytes)])
        reader = try HTTPReader(origin.address + "/film", options: HTTPOptions(), loop: loop)
    }

    func open() throws(IOReaderError) { try reader.open() }
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int { try reader.read(buffer) }
    func seek(to offset: Int64) throws(IOReaderError) { try reader.seek(to: offset) }
    var size: Int64? { reader.size }
    var isSeekable: Bool { reader.isSeekable }
    func cancel() { reader.cancel() }
    func resume() { reader.resume() }
    func close() { reader.close() }
    func makeIndependentReader() -> (any IOReader)? { reader.makeIndependentReader() }
}

func temporaryPath() -> String { NSTemporaryDirectory() + "aether-reader-" + UUID().uuidString }

func temporaryFile(_ bytes: [UInt8]) throws -> String {
    let path = temporaryPath()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
}

func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws {
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
}

func filledPipe(_ bytes: [UInt8]) throws -> PipeEnds {
    let pipe = try PipeEnds()
    try writeAll(pipe.writer, bytes)
    return pipe
}

/// Everything up to the end, read in pieces of the given size.
func readAll(_ reader: any IOReader, piece: Int = 1000) throws -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
        let count = try buffer.withUnsafeMutableBytes { try reader.read($0) }
        if count == 0 { return result }
        result += buffer[..<count]
    }
}

func readError(_ reader: any IOReader) -> IOReaderError? {
    var buffer = [UInt8](repeating: 0, count: 16)
    do {
        _ = try buffer.withUnsafeMutableBytes { try reader.read($0) }
        return nil
    } catch {
        return error as? IOReaderError
    }
}

@Suite struct IOReaderConformanceTests {
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test(arguments: ReaderKind.allCases)
    func givesAllBytesInOrderAndThenTheEndForEver(_ kind: ReaderKind) throws {
        let reader = try kind.make(bytes)
        #expect(try readAll(reader) == bytes)
        #expect(try readAll(reader) == [])
    }

    @Test(arguments: ReaderKind.allCases)
    func saysWhetherItSeeksAndHowLongItIs(_ kind: ReaderKind) throws {
        let reader = try kind.make(bytes)
        #expect(reader.isSeekable == kind.isSeekable)
        #expect(reader.size == (kind.isSeekable ? 20_000 : nil))
    }

    @Test(arguments: ReaderKind.allCases)
    func seeksToAnyOffsetOrRefuses(_ kind: ReaderKind) throws {
        let reader = try kind.make(bytes)
        guard kind.isSeekable else {
            #expect(throws: IOReaderError.notSeekable) { try reader.seek(to: 0) }
            return
        }
        try reader.seek(to: 19_990)
        #expect(try readAll(reader) == Array(bytes[19_990...]))
        try reader.seek(to: 0)
        #expect(try readAll(reader, piece: 7) == bytes)
        try reader.seek(to: 1 << 40)
        #expect(try readAll(reader) == [])
        #expect(throws: IOReaderError.posix(EINVAL)) { try reader.seek(to: -1) }
    }

    @Test(arguments: ReaderKind.allCases)
    func isSilentBetweenCancelAndResumeAndLosesNothing(_ kind: ReaderKind) throws {
        let reader = try kind.make(bytes)
        reader.cancel()
        #expect(readError(reader) == .cancelled)
        #expect(readError(reader) == .cancelled)
        reader.resume()
        #expect(try readAll(reader) == bytes)
    }

    @Test(arguments: ReaderKind.allCases)
    func throwsClosedAfterClose(_ kind: ReaderKind) throws {
        let reader = try kind.make(bytes)
        reader.close()
        reader.close()
        #expect(readError(reader) == .closed)
    }

    @Test(arguments: ReaderKind.allCases)
    func independentReadersKeepTheirOwnPositions(_ kind: ReaderKind) throws {
        let first = try kind.make(bytes)
        guard let second = first.makeIndependentReader() else {
            #expect(!kind.isSeekable)
            return
        }
        try first.seek(to: 10_000)
        #expect(try readAll(second) == bytes)
        #expect(try readAll(first) == Array(bytes[10_000...]))
        first.close()
        try second.seek(to: 19_999)
        #expect(try readAll(second) == [bytes[19_999]])
    }

    @Test func cancelUnblocksAReadThatWaitsForAWriter() throws {
        let pipe = try filledPipe([])
        defer { close(pipe.writer) }
        let reader = PipeReader(descriptor: pipe.reader, owning: true)
        let outcome = Mutex<IOReaderError?>(nil)
        let thread = WorkerThread(name: "pipe read") {
            let error = readError(reader)
            outcome.withLock { $0 = error }
        }
        reader.cancel()
        thread.join()
        #expect(outcome.withLock { $0 } == .cancelled)
    }

    @Test func refusesDirectoriesAndMissingFilesInTheSystemsNumbers() {
        #expect(throws: IOReaderError.posix(EISDIR)) { try FileReader(path: "/tmp") }
        #expect(throws: IOReaderError.posix(ENOENT)) { try FileReader(path: "/nonexistent/film.mkv") }
        #expect(throws: IOReaderError.posix(ESPIPE)) { try FileReader(path: "/dev/null") }
        #expect(throws: IOReaderError.posix(ENOENT)) { try MediaLocation.file("/nonexistent/film.mkv").openReader() }
    }

    @Test func seesAFileGrow() throws {
        let path = try temporaryFile([1, 2, 3])
        defer { unlink(path) }
        let reader = try FileReader(path: path)
        #expect(try readAll(reader) == [1, 2, 3])
        let handle = try #require(FileHandle(forWritingAtPath: path))
        handle.seekToEndOfFile()
        handle.write(Data([4, 5]))
        try handle.close()
        #expect(reader.size == 5)
        #expect(try readAll(reader) == [4, 5])
    }
}
