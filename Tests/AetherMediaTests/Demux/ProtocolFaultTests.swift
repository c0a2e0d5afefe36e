import AetherCore
import AetherTestSupport
import CFFmpeg
import Glibc
import Testing

@testable import AetherMedia

/// The words for refusals of libavformat's own protocols.
@Suite struct ProtocolFaultTests {
    @Test(arguments: [
        ("rtsp", ECONNREFUSED, "", NetworkFault.Kind.refused), ("rtmp", EHOSTUNREACH, "", .unreachable),
        ("srt", ENETUNREACH, "", .unreachable), ("rtmp", ETIMEDOUT, "", .timedOut), ("tcp", ECONNRESET, "", .hungUp),
        ("rtsp", EIO, "[tcp @ 0x5] Failed to resolve hostname h: Name or service not known", .noSuchHost),
        ("rtmp", EIO, "[tcp @ 0x5] Failed to resolve hostname h\n[rtmp @ 0x6] Cannot open tcp://h\n", .noSuchHost),
        ("udp", EIO, "[udp @ 0x5] getaddrinfo(h, 1): Name or service not known", .noSuchHost),
        ("rtmps", EIO, "[tls @ 0x5] Peer certificate failed verification", .certificate),
        ("srt", EIO, "[srt @ 0x5] Connection to srt://h:1 failed: Input/output error", .unreachable),
        ("udp", EIO, "", .timedOut), ("rtp", EIO, "", .timedOut), ("RIST", EIO, "", .timedOut),
    ])
    func numbersHaveKinds(_ scheme: String, _ number: Int32, _ complaint: String, _ kind: NetworkFault.Kind) {
        #expect(ProtocolFault.fault(aether_averror(number), of: scheme + "://h:1/x", complaints: complaint)?.kind == kind)
    }

    @Test func otherNumbersKeepTheirWords() {
        #expect(ProtocolFault.fault(aether_averror(EIO), of: "file:///x", complaints: "") == nil)
        #expect(ProtocolFault.fault(aether_averror(EIO), of: "rtmp://h/x", complaints: "a chunk is broken") == nil)
        #expect(ProtocolFault.fault(aether_averror(ENOENT), of: "rtmp://h/x", complaints: "") == nil)
        #expect(ProtocolFault.fault(aether_averror_eof(), of: "udp://h/x", complaints: "") == nil)
        #expect(ProtocolFault.fault(aether_averror_eof(), of: "rtmp://h/x", complaints: "")?.kind == .hungUp)
    }

    /// FFmpeg's own words tell whether the number is the one that is meant.
    @Test(arguments: [400, 401, 403, 404])
    func anAnswerOfRTSPIsThatOfTheWeb(_ status: Int) throws {
        let tag = [0xF8] + String(status).utf8.map { Int32($0) }
        let code = -(tag[0] | tag[1] << 8 | tag[2] << 16 | tag[3] << 24)
        #expect(AVError(code: code).text.contains("\(status)"))
        #expect(ProtocolFault.fault(code, of: "rtsp://h/x", complaints: "")?.kind == .status(status))
    }

    @Test(arguments: ["rtsp", "rtmp", "tcp", "mmst"])
    func aServerThatIsNotThereIsSaid(_ scheme: String) throws {
        // A port that was free a moment ago: nobody listens there.
        let free = try SilentPort()
        do throws(MediaError) {
            _ = try Demuxer(.url("\(scheme)://127.0.0.1:\(free.number)/x"), interrupt: Interrupt())
            Issue.record("it was opened")
        } catch {
            #expect(error.code == .cannotOpen && error.description.contains("refuses connections"), "\(error)")
        }
    }
}

/// A port of the loopback address that is bound, and that nobody listens at.
private final class SilentPort {
    let number: UInt16
    private let socket: Int32
    struct Failure: Error {}

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard socket >= 0, isBound else { throw Failure() }
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }
}
