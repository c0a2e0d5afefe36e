import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherMedia

@Suite struct URLSchemeTests {
    /// A line of a playlist that reads the keyboard, a socket of the machine or a part of a file.
    @Test(arguments: [
        "pipe:0", "pipe://", "unix:///run/x", "concat:a|b", "subfile,,start,0,end,9,,:/etc/passwd", "fd:", "data:,x", "zmq:x",
    ])
    func addressesThatReachIntoTheMachineAreNotOpened(_ url: String) {
        var refusals: [MediaError] = []
        do throws(MediaError) {
            _ = try URLBytes.read(url, limit: 10, interrupt: Interrupt())
        } catch {
            refusals.append(error)
        }
        do throws(MediaError) {
            let demuxer = try Demuxer(.url(url), interrupt: Interrupt())
            Issue.record("\(demuxer.info.container) at \(url)")
        } catch {
            refusals.append(error)
        }
        #expect(refusals.count == 2)
        #expect(refusals.allSatisfy { $0.code == .cannotOpen && $0.description.contains("is not opened") }, "\(refusals)")
    }

    @Test(arguments: [("HTTPS://Host/X", "https://Host/X"), ("rtsp://h/x", "rtsp://h/x"), ("File:/x", "file:/x")])
    func theSchemeIsInSmallLetters(_ url: String, _ known: String) throws {
        #expect(try URLScheme.checked(url) == known)
    }

    /// libavformat checks no certificate of these, whatever it is told: no byte is sent.
    @Test(arguments: ["rtsps://127.0.0.1:1/x", "RTSPS://127.0.0.1:1/x", "rtmpts://127.0.0.1:1/x"])
    func whatNobodyVouchesForIsOpenedOnlyWhereAnyoneMayAnswer(_ url: String) throws {
        func refusal(_ trust: CertificateTrust) -> MediaError? {
            do throws(MediaError) {
                _ = try Demuxer(.url(url, trust: trust), interrupt: Interrupt())
                return nil
            } catch {
                return error
            }
        }
        #expect(try #require(refusal(.system)).description.contains("--insecure"))
        #expect(try #require(refusal(.authorities(file: "/dev/null"))).description.contains("--insecure"))
        #expect(try !#require(refusal(.anybody)).description.contains("--insecure"))
        // Nor by another address that leads there.
        #expect(URLScheme.nested(in: .url("rtsp://h/x"))?.contains("rtsps") == false)
        #expect(URLScheme.nested(in: .url("rtsps://h/x", trust: .anybody))?.contains("rtsps") == true)
    }

    /// A playlist inside a file may fetch from the web, but not reach further.
    @Test func playlistsInsideOfFilesNameFilesAndTheWebOnly() throws {
        let reader = MediaInput.reader(MemoryReader([]), name: "x")
        #expect(
            URLScheme.nested(in: reader)?.split(separator: ",").contains { ["pipe", "concat", "subfile", "unix"].contains($0) }
                == false)
        #expect(URLScheme.nested(in: .url("https://h/x")) == nil)
        // A session description of this machine listens, and one of a server's does nothing that others do not.
        #expect(URLScheme.nested(in: .reader(MemoryReader([]), name: "/x/a.SDP")) == "rtp,udp")
        #expect(URLScheme.nested(in: .reader(MemoryReader([]), name: "http://h/a.sdp"))?.contains("udp") == false)
        let other = try #require(URLScheme.nested(in: .url("rtmp://h/x"))).split(separator: ",")
        #expect(other.contains("tcp") && !other.contains("file"))
    }
}
