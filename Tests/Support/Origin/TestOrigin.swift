import AetherCore
import CLinux
import Foundation
import Glibc

/// A web server of our own on the loopback address that misbehaves where it is told to (`OriginFault`), and writes down every request. A
/// thread for each connection; ends with its last user.
public final class TestOrigin: Sendable {
    /// The content at a path.
    public enum Content: Sendable {
        case bytes([UInt8])
        /// So many bytes of noise (`TestOrigin.pattern`).
        case pattern(Int)
        case file(String)
        /// Made for each request, by its target; nil: there is none.
        case made(@Sendable (_ target: String) -> [UInt8]?)
    }

    /// One request and what it got.
    public struct Request: Sendable {
        /// The method of the request.
        public let method: String
        /// As it was asked for, faults included.
        public let target: String
        /// Names in small letters.
        public let fields: [String: String]
        /// The bytes behind the head, as far as the stated length goes.
        public let body: [UInt8]
        /// Which connection it came over, from 1.
        public let connection: Int
        /// The status of the answer.
        public internal(set) var status = 0
        /// Bytes of the body that were handed to the system.
        public internal(set) var sent = 0

        /// The first byte of the part that was asked for; nil where none was.
        public var offset: Int? {
            fields["range"].flatMap { $0.hasPrefix("bytes=") ? Int($0.dropFirst(6).prefix { $0 != "-" }) : nil }
        }
    }

    struct State: Sendable {
        var requests: [Request] = []
        /// How often each target was asked for.
        var counts: [String: Int] = [:]
        var connections = 0
        var open = 0
        var mostOpen = 0
        var threads: [WorkerThread] = []
        var sockets: Set<Int32> = []
        /// New connections are closed at once.
        var hangsUp = false
    }

    /// No socket could be opened.
    public struct Failure: Error {}

    let files: [String: Content]
    let state = Monitor(State())
    /// Signalled once, and never drained: everything that waits ends.
    let stopping = WakeHandle()
    /// Likewise, for what stalls.
    let released = WakeHandle()
    private let port: UInt16
    private let listener: Int32

    /// Serves the files by their paths ("/film.mkv"); `missing` is the status of what is not there.
    public init(_ files: [String: Content], missing: Int = 404) throws {
        self.files = files
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // Its connections inherit this: without it those that are ending would keep `comeBack` from the port.
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard socket >= 0, isBound else {
            close(socket)
            throw Failure()
        }
        listener = socket
        port = UInt16(bigEndian: address.sin_port)
        let server = OriginServer(files: files, state: state, stopping: stopping, released: released, missing: missing)
        let accepting = WorkerThread(name: "test-origin") { server.acceptAll(socket) }
        state.update { $0.threads.append(accepting) }
    }

    deinit {
        stopping.wake()
        // Connections are begun by the first of them, which ends first.
        while let thread = state.update({ $0.threads.isEmpty ? nil : $0.threads.removeFirst() }) { thread.join() }
        close(listener)
    }

    /// "http://127.0.0.1:40123".
    public var address: String { "http://127.0.0.1:\(port)" }

    /// The port that it listens on.
    public var number: Int { Int(port) }

    /// All requests so far, in the order in which they came.
    public var requests: [Request] { state.read { $0.requests } }

    /// Connections that were made so far.
    public var connectionCount: Int { state.read { $0.connections } }

    /// Connections that are open now.
    public var openCount: Int { state.read { $0.open } }

    /// The most connections that were open at one time.
    public var mostOpenCount: Int { state.read { $0.mostOpen } }

    /// Answers that stall go on, and none stalls from now on.
    public func release() { released.wake() }

    /// The server is gone: connections end, and new ones are refused, until `comeBack`.
    public func leave() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.update { state in for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    /// As a forwarder whose server is gone: connections end, new ones are taken and closed without a byte, until `pickUp`.
    public func hangUp() {
        state.update { state in
            state.hangsUp = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends what `hangUp` began.
    public func pickUp() { state.update { $0.hangsUp = false } }

    /// Ends what `leave` began: the socket, which has lost its port, is bound to it once more.
    public func comeBack() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(listener, 64) == 0
            }
        }
        precondition(isBound, "somebody else has the port")
    }

    /// Blocks until there have been so many requests, half a minute at most; says whether they came.
    public func waitForRequests(_ count: Int) -> Bool {
        state.wait(until: SystemTime().now() + .seconds(30)) { $0.requests.count >= count ? true : nil } ?? false
    }

    /// Blocks until the condition holds for the log, half a minute at most; says whether it does.
    public func wait(for condition: ([Request]) -> Bool) -> Bool {
        state.wait(until: SystemTime().now() + .seconds(30)) { condition($0.requests) ? true : nil } ?? false
    }

    /// Blocks until no connection is open, half a minute at most; says whether that came true.
    public func waitForSilence() -> Bool {
        state.wait(until: SystemTime().now() + .seconds(30)) { $0.open == 0 ? true : nil } ?? false
    }

    /// A prime: what repeats in files repeats at other distances.
    private static let period = 65_521
    private static let table: [UInt8] = {
        var random = SeededRandom(seed: 1)
        return (0..<period).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()

    /// The bytes of a pattern, as `Content.pattern` serves them: noise that comes again after 65 521 bytes.
    public static func pattern(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            let start = place % period
            let count = min(period - start, range.upperBound - place)
            bytes += table[start..<start + count]
            place += count
        }
        return bytes
    }
}

extension TestOrigin.Content {
    var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .pattern(let size): size
        case .file(let path): (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        case .made: 0
        }
    }

    /// Calls the body for piece after piece until it returns false.
    func forEachPiece(_ range: Range<Int>, _ body: ([UInt8]) -> Bool) {
        let handle: FileHandle?
        if case .file(let path) = self { handle = FileHandle(forReadingAtPath: path) } else { handle = nil }
        try? handle?.seek(toOffset: UInt64(range.lowerBound))
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + 64 << 10, range.upperBound)
            let piece: [UInt8]
            switch self {
            case .bytes(let bytes): piece = Array(bytes[start..<end])
            case .pattern: piece = TestOrigin.pattern(start..<end)
            case .file: piece = (try? handle?.read(upToCount: end - start)).map { Array($0) } ?? []
            case .made: piece = []
            }
            guard !piece.isEmpty, body(piece) else { return }
            start += piece.count
        }
    }
}
