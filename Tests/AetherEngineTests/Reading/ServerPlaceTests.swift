import AetherCore
import AetherDiscs
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Discs whose files lie on a server, by an address that stands for them.
struct ServerPlaceTests {
    @Test(arguments: [
        ("smb://nas/films/Disc/VIDEO_TS/VIDEO_TS.IFO", "smb://nas/films/Disc/VIDEO_TS/", ""),
        ("http://host/Disc/video_ts/video_ts.ifo?key=1/2", "http://host/Disc/video_ts/", ""),
        ("dav://host/a%20b/BDMV/index.bdmv", "dav://host/a%20b/", ""), ("http://host/BDMV/index.bdmv", "http://host/", ""),
        ("smb://nas/films/loose/index.bdmv", "smb://nas/films/loose/", ""),
        ("sftp://host/x/a%20b.cue", "sftp://host/x/", "a b.cue"),
        ("https://host/x/disc.cue", "https://host/x/", "disc.cue"),
        ("smb://nas/films/x/disc.BIN", "smb://nas/films/x/", "disc.BIN"),
    ])
    func anAddressStandsForADisc(_ url: String, _ folder: String, _ name: String) {
        let place = ServerPlace(url)
        #expect(place?.address == folder && place?.name == name && place?.isList == name.isEmpty)
    }

    @Test(arguments: [
        "http://host/films/", "http://host/disc.bin", "http://host/index.html", "smb://nas/films/a.mkv", "rtsp://host/index.bdmv",
        "smb://nas/films/VTS_01_0.IFO",
    ])
    func othersDoNot(_ url: String) { #expect(ServerPlace(url) == nil) }

    private func page(_ path: String, _ names: [String]) -> TestOrigin.Content {
        let links = names.map { "<a href=\"\($0)\">\($0)</a>" }.joined(separator: "\n")
        return .bytes(Array("<title>Index of \(path)</title>\n\(links)".utf8))
    }

    private func description(_ url: String) throws -> [String] {
        let input = try MediaInput(.location(.url(url)), interrupt: Interrupt())
        guard case .reader(let reader, let name) = input, name == url else { return [] }
        defer { reader.close() }
        return [String(describing: type(of: reader)), "\(reader.size ?? 0)"]
    }

    @Test func aBluRayDiscBehindPagesAndWebDAV() throws {
        let files = try BluRayFixture.made().files().filter { !$0.path.contains("BACKUP") }
        var contents: [String: TestOrigin.Content] = ["/a%20b/": page("/a%20b/", ["BDMV/"])]
        contents["/a%20b/BDMV/"] = page("/a%20b/BDMV/", ["index.bdmv", "MovieObject.bdmv", "PLAYLIST/", "CLIPINF/", "STREAM/"])
        for folder in ["PLAYLIST", "CLIPINF", "STREAM"] {
            let path = "/a%20b/BDMV/\(folder)/"
            contents[path] = page(
                path, files.map(\.path).filter { $0.contains(folder) }.map { String($0.split(separator: "/")[2]) })
        }
        for file in files { contents["/a%20b/" + file.path] = .bytes(file.bytes) }
        let origin = try TestOrigin(contents)
        let image = try #require(try BluRay(image: MemoryReader(UDFWriter.image(files)))).reader(title: nil)
        let wanted = ["BluRayReader", "\(image.size ?? 0)"]
        #expect(try description(origin.address + "/a%20b/BDMV/index.bdmv") == wanted)
        #expect(
            try description(origin.address.replacing("http://", with: "dav://") + "/~dav/a%20b/BDMV/index.bdmv") == wanted)
    }

    @Test func aSheetOnAWebServer() throws {
        let samples = [UInt8](repeating: 7, count: 2352 * 200)
        let sheet = "FILE \"a b.bin\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00"
        let origin = try TestOrigin(["/x/disc.cue": .bytes(Array(sheet.utf8)), "/x/a%20b.bin": .bytes(samples)])
        #expect(try description(origin.address + "/x/disc.cue").first == "CompactReader")
        #expect(!origin.requests.map(\.target).contains("/x/"), "no page is asked for where the sheet's names are right")
    }

    @Test func theReasonIsTheServers() throws {
        let origin = try TestOrigin([:])
        for name in ["BDMV/index.bdmv", "VIDEO_TS/VIDEO_TS.IFO", "a.cue"] {
            let error = #expect(throws: MediaError.self) { try description(origin.address + "/x/" + name) }
            #expect(error?.code == .cannotOpen && error?.cause == -ENOENT, "\(name): \(String(describing: error))")
        }
    }

    @Test func anInterruptEndsTheOpening() throws {
        let interrupt = Interrupt()
        let origin = try TestOrigin([
            "/x/VIDEO_TS/": .made { _ in
                interrupt.raise()
                return []
            }
        ])
        let error = #expect(throws: MediaError.self) {
            try MediaInput(.location(.url(origin.address + "/x/VIDEO_TS/VIDEO_TS.IFO")), interrupt: interrupt)
        }
        #expect(error?.code == .interrupted)
    }
}
