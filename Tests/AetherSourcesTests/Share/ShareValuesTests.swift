import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

@Suite("Share values")
struct ShareValuesTests {
    private func frames(_ bytes: [UInt8], piece: Int) throws(WireFrames.Violation) -> [WireFrames.Frame] {
        var assembly = WireFrames()
        var frames: [WireFrames.Frame] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { assembly.take($0) }
            while let frame = try assembly.next() { frames.append(frame) }
        }
        return frames
    }

    @Test("Messages come back as they were, in pieces of any size", arguments: [1, 3, 7, 100])
    func roundTrip(_ piece: Int) throws {
        let address = try #require(ShareAddress("smb://D;me:p%40ss@host:4450/share/a/b%20c.mkv"))
        let folder = try #require(ShareAddress("nfs://nas/media"))
        let requests: [ShareRequest] = [
            .open(address), .list(folder), .read(number: 7, offset: 1 << 40, count: 5, place: 9), .forget(before: 9),
        ]
        #expect(try frames(requests.flatMap(\.frame), piece: piece).map { ShareRequest($0) } == requests)
        let answers: [ShareAnswer] = [
            .opened(size: 5, modified: 6), .filled(number: 3, count: 8 << 20, microseconds: 1 << 40),
            .failure(number: 1, .noShare, text: "no"), .entries([]),
            .entries([
                ShareEntry(name: "ä b", isFolder: true), ShareEntry(name: "c", isFolder: false, size: 1 << 40, modified: 7),
            ]),
        ]
        #expect(try frames(answers.flatMap(\.frame), piece: piece).map { ShareAnswer($0) } == answers)
    }

    @Test(
        "Lengths that no frame has are refused",
        arguments: [[0, 0, 0, 0], [4, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0x7F]] as [[UInt8]])
    func lengths(_ bytes: [UInt8]) {
        #expect(throws: WireFrames.Violation.self) { try frames(bytes, piece: 4) }
    }

    @Test("Of noise, frames that are too short are refused, and no other traps")
    func noise() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<5000 {
            let length = UInt8.random(in: 0...40, using: &random)
            let bytes = [length, 0, 0, 0] + (0..<Int(length)).map { _ in UInt8.random(in: 0...8, using: &random) }
            do throws(WireFrames.Violation) {
                for frame in try frames(bytes, piece: 50) { _ = (ShareRequest(frame), ShareAnswer(frame)) }
                #expect(length >= 5)
            } catch {
                #expect(length < 5)
            }
        }
    }

    @Test("An address is taken apart and decoded")
    func address() throws {
        let address = try #require(ShareAddress("smb://D;me:p%40ss@host:4450/my%20share/a b/c#1?.mkv"))
        #expect(address.host == "host" && address.port == 4450 && address.domain == "D" && address.user == "me")
        #expect(address.password == "p@ss" && address.share == "my share" && address.path == "a b/c#1?.mkv")
    }

    @Test(
        "No address leads out of its share",
        arguments: [
            "smb:///s/f", "smb://h/s/%2e%2e/f", "smb://h/s/..%5cf", "http://h/s/f", "smb://h/s/%00", "nfs://h/%2e%2e/f",
            "nfs://h/%00",
        ])
    func confined(_ text: String) {
        let address = ShareAddress(text)
        // From 7.87 on libcurl takes dots that were written as %2e away, too. Then nothing is left above the folder "f".
        #expect(address == nil || "\(address?.share ?? "")\(address?.path ?? "")" == "f", "\(text)")
    }

    @Test("Servers, shares and folders have addresses, too")
    func levels() throws {
        for text in ["smb://h", "smb://h/", "nfs://h", "smb://h/s", "smb://h/s/"] {
            let address = try #require(ShareAddress(text))
            #expect(!address.mayBeFile && address.host == "h" && address.share == (text.contains("/s") ? "s" : ""), "\(text)")
        }
        let address = try #require(ShareAddress("nfs://h:20490/media/a b.mkv"))
        #expect(address.scheme == .nfs && address.port == 20490 && address.share.isEmpty && address.path == "media/a b.mkv")
        #expect(MediaLocation.parse("smb://h/s/a #1?.mkv") == .url("smb://h/s/a%20%231%3F.mkv"))
    }

    @Test(
        "Reads beyond the memory are no requests",
        arguments: [(8 << 20, (8 << 20) + 1), (1, 16 << 20), (1, Int(UInt32.max)), ((8 << 20) + 1, 0), (0, 0)])
    func places(_ count: Int, _ place: Int) throws {
        let request = ShareRequest.read(number: 1, offset: 0, count: UInt32(count), place: UInt32(place))
        #expect(try frames(request.frame, piece: 100).map { ShareRequest($0) } == [nil])
    }

    @Test("A program that cannot run is told as such, without the patience that servers have")
    func programWithoutItsLibrary() throws {
        let folder = try TemporaryFolder()
        try ProgramFile.write("exit 127", to: folder.path("aether-share"))
        let address = try #require(ShareAddress("smb://127.0.0.1/share/a.mkv")), time = SteppingTime()
        let reader = ShareReader(address, program: folder.path("aether-share"), time: time)
        let began = time.now()
        do throws(IOReaderError) {
            try reader.open()
            Issue.record("it opened")
        } catch {
            guard case .network(let fault) = error else { throw error }
            #expect(fault.sentence.contains("libsmbclient"), "\(fault.sentence)")
        }
        #expect(time.now() - began < .seconds(1))
    }
}
