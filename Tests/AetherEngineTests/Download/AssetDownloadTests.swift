import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Downloads from a server on this machine, and packages that play when it is gone.
@Suite struct AssetDownloadTests {
    private let target: TemporaryFolder

    init() throws { target = try TemporaryFolder() }

    private func download(
        _ address: String, to name: String = "p",
        _ change: (inout AssetDownloadConfiguration, inout AssetDownloadOptions) -> Void = { _, _ in }
    ) -> (state: AssetDownloadTask.State, task: AssetDownloadTask) {
        var configuration = AssetDownloadConfiguration(asset: .parse(address)), options = AssetDownloadOptions()
        options.folder = target.path(name)
        change(&configuration, &options)
        let task = AssetDownloadTask(configuration, options: options)
        task.resume()
        return (task.wait(), task)
    }

    @Test(arguments: SegmentedVideo.Shape.allCases) func everyShapeIsKeptAndPlaysWithoutItsServer(_ shape: SegmentedVideo.Shape)
        throws
    {
        let film = try SegmentedVideo(shape)
        do {
            let origin = try film.origin()
            let (state, task) = download(origin.address + "/" + shape.manifest)
            #expect(state == .completed, "\(state)")
            #expect(task.progress.fraction == 1 && task.progress.missingSegments == 0)
            let asked = origin.requests.map { "\($0.target) \($0.fields["range"] ?? "")" }
            let media = asked.filter { !$0.contains("mpd") }
            #expect(Set(media).count == media.count, "\(media)")
        }
        let reading = try StreamReading(MediaLocation.file(target.path("p")).inPackage)
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
    }

    @Test func whatIsThereIsNotAskedForAgain() throws {
        let film = try SegmentedVideo(.ladder), origin = try film.origin()
        #expect(download(origin.address + "/master.m3u8").state == .completed)
        let first = origin.requests.count
        #expect(download(origin.address + "/master.m3u8").state == .completed)
        #expect(origin.requests.dropFirst(first).allSatisfy { $0.target.hasSuffix(".m3u8") })
        // One that was damaged is, alone.
        let name = target.path("p") + "/r1/s1.ts", whole = try Data(contentsOf: URL(filePath: name))
        try whole.dropLast(7).write(to: URL(filePath: name))
        let second = origin.requests.count
        #expect(download(origin.address + "/master.m3u8").state == .completed)
        #expect(origin.requests.dropFirst(second).filter { $0.target.hasSuffix(".ts") }.count == 1)
        #expect(try Data(contentsOf: URL(filePath: name)) == whole)
    }

    @Test func allTracksAndAnotherQualityAreInTheList() throws {
        let film = try SegmentedVideo(.ladder), origin = try film.origin()
        let (state, _) = download(origin.address + "/master.m3u8") { configuration, _ in
            configuration.primaryContentConfiguration.mediaSelections = AssetMediaSelection.list(.audio, "en,fr")
            configuration.auxiliaryContentConfigurations = [.init(variantQualifiers: [.worst])]
        }
        #expect(state == .completed)
        let reading = try ManifestReading(MediaLocation.file(target.path("p")).inPackage, workingFolder: "/")
        let presentation = try reading.presentation(now: 0)
        #expect(presentation.variants.map { $0.size?.height } == [64, 32])
        #expect(presentation.periods[0].groups.filter { $0.kind == .audio }.compactMap(\.language) == ["eng", "fra"])
        #expect(presentation.renditions.allSatisfy { $0.index?.numbers.isEmpty == false })
    }

    @Test(arguments: [false, true]) func keysAreKeptOnRequestAlone(_ keeps: Bool) throws {
        let film = try SegmentedVideo(.ciphered), origin = try film.origin()
        #expect(download(origin.address + "/master.m3u8") { $1.keepsKeys = keeps }.state == .completed)
        let key = target.path("p") + "/key1.bin"
        #expect(FileManager.default.fileExists(atPath: key) == keeps)
        if keeps {
            let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let first = try Data(contentsOf: URL(filePath: target.path("p") + "/r1/s0.ts"))
        #expect((first.first == 0x47) == !keeps)
        #expect(try StreamReading(MediaLocation.file(target.path("p")).inPackage).hasEveryFrame())
    }

    @Test func aSegmentThatNobodyHasIsAHoleThatIsTold() throws {
        let film = try SegmentedVideo(.ciphered)
        try film.rewrite("master.m3u8") { $0.replacingOccurrences(of: "s2.ts", with: "gone.ts") }
        let origin = try film.origin(), (state, task) = download(origin.address + "/master.m3u8")
        #expect(state == .completed && task.progress.missingSegments == 1 && task.progress.finishedSegments == 3)
        let list = try String(contentsOfFile: target.path("p") + "/r1/media.m3u8", encoding: .utf8)
        #expect(list.contains("#EXT-X-GAP\n"))
    }

    /// As some servers answer for a segment that failed to be made.
    @Test func aSegmentWithoutAByteIsAHoleToo() throws {
        let film = try SegmentedVideo(.ladder)
        try film.write("s0_2.ts", "")
        let origin = try film.origin(), (state, task) = download(origin.address + "/master.m3u8")
        #expect(state == .completed && task.progress.missingSegments == 1 && task.progress.finishedSegments > 3, "\(state)")
    }

    @Test func aSourceHasAFolderOfItsOwn() throws {
        let place = target.url.path
        func write(_ name: String, _ file: String, _ text: String) throws {
            try FileManager.default.createDirectory(atPath: target.path(name), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: target.path(name) + "/" + file))
        }
        // The query names a video, but a token of another day names no other one.
        for (query, name) in [("?v=1&token=a", "V.aepkg"), ("?v=2&token=a", "V 2.aepkg"), ("?v=1&token=b", "V.aepkg")] {
            let video = MediaLocation.parse("http://host/film.mkv" + query)
            #expect(video.packageFolder(titled: "V", in: place) == target.path(name))
            try write(name, PackageName.index, PackageIndex(title: "V", source: video.rememberedText).text)
        }
        // A run that was killed before it described the package is gone on with.
        try write("K.aepkg", PackageName.journal, "")
        #expect(MediaLocation.parse("http://host/k").packageFolder(titled: "K", in: place) == target.path("K.aepkg"))
    }

    @Test(arguments: ["", "/~drop=100000", "/~norange", "/~unbounded"]) func aFileIsFetchedToItsLastByte(_ fault: String) throws {
        let count = 3_000_000, origin = try TestOrigin(["/film.mp4": .pattern(count)])
        #expect(download(origin.address + fault + "/film.mp4").state == .completed)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: target.path("p") + "/media.mp4"))) == TestOrigin.pattern(0..<count))
    }

    /// A title's bytes alone are not the disc.
    @Test(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing))) func aDiscIsRefused() throws {
        let disc = try DVDFixture.made()
        for path in [disc.image, disc.folder] {
            guard case .failed(let error) = download(path).state else {
                Issue.record("not refused: \(path)")
                continue
            }
            #expect(error.code == .unsupported && error.reason.contains("a disc is more than one file"), "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: target.path("p")))
    }

    @Test func aFolderOfOtherThingsIsLeftAlone() throws {
        try FileManager.default.createDirectory(atPath: target.path("p"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: target.path("p") + "/letter.txt"))
        let origin = try TestOrigin(["/film.mp4": .pattern(1000)])
        guard case .failed(let error) = download(origin.address + "/film.mp4").state else {
            Issue.record("not refused")
            return
        }
        #expect(error.description.contains("the folder holds other things than a download"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path("p")) == ["letter.txt"])
    }
}
