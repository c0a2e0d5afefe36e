import AetherCore
import AetherSources
import Foundation
import Testing

@Suite struct MediaLocationTests {
    @Test(arguments: [
        ("-", MediaLocation.standardInput), ("film.mkv", .file("film.mkv")), ("./-", .file("./-")), ("", .file("")),
        ("http://host/film.mkv", .url("http://host/film.mkv")), ("HTTPS://Host/x", .url("HTTPS://Host/x")),
        ("rtsp://host/x", .url("rtsp://host/x")), ("file:///a%20b/film%2Emkv", .file("/a b/film.mkv")),
        ("file://localhost/film.mkv", .file("/film.mkv")), ("file:/film.mkv", .file("/film.mkv")),
        ("file:film", .file("file:film")),
        ("Film: part 1.mkv", .file("Film: part 1.mkv")), ("a:b", .file("a:b")), ("12://x", .file("12://x")),
        ("cdda://", .file("/dev/sr0")), ("dvd:///dev/sr1", .file("/dev/sr1")), ("BD:///a%20b", .file("/a b")),
        ("vcd:///", .file("/dev/sr0")), ("cdda://2", .url("cdda://2")), ("cdda:2", .file("cdda:2")),
        ("file:///100%.mkv", .file("/100%.mkv")), ("file:///a%00b", .url("file:///a%00b")),
    ])
    func readsAnArgument(_ argument: String, _ expected: MediaLocation) {
        #expect(MediaLocation.parse(argument) == expected)
    }

    @Test func whatCanBeReadTwiceIsSeenBeforeItIsOpened() throws {
        let file = try temporaryFile([1, 2]), pipe = temporaryPath()
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { for path in [file, pipe] { unlink(path) } }
        #expect(MediaLocation.file(file).traits == .file)
        #expect(MediaLocation.file(pipe).traits == .pipe && MediaLocation.file("/dev/null").traits == .pipe)
        #expect(MediaLocation.file("/no/such/file").traits.isRepeatable, "the second try says why not")
        #expect(MediaLocation.url("http://host/film.mkv").traits == .network)
    }

    @Test func sortsNumbersAsNumbers() {
        let names = ["film10.mkv", "Film2.mkv", "film1.mkv", "film02.mkv", "a.mkv", "film.mkv", "film2b.mkv"]
        #expect(
            NaturalOrder.order(of: names).map { names[$0] } == [
                "a.mkv", "film.mkv", "film1.mkv", "Film2.mkv", "film02.mkv", "film2b.mkv", "film10.mkv",
            ])
    }

    @Test func naturalOrderIsAStrictOrder() {
        let names = ["a", "A", "a1", "a01", "a001", "a1b", "a01b", "", "1", "01", "ä", "99999999999999999999999", "9"]
        func precedes(_ a: String, _ b: String) -> Bool { NaturalOrder.order(of: [a, b]) == [0, 1] }
        for a in names {
            for b in names where a != b { #expect(precedes(a, b) != precedes(b, a), "\(a) \(b)") }
        }
    }

    @Test func listsOnlyVisibleMediaFilesOfTheDirectoryItself() throws {
        let directory = temporaryPath()
        let manager = FileManager.default
        try manager.createDirectory(atPath: directory + "/folder.mkv", withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: directory) }  // left-overs in the temporary directory harm nobody
        for name in ["film10.MKV", "film2.mp4", ".hidden.mkv", "notes.txt", "mkv", "folder.mkv/inner.mkv", "sound.flac"] {
            #expect(manager.createFile(atPath: directory + "/" + name, contents: nil))
        }
        #expect(
            try DirectoryListing.mediaFiles(in: directory)
                == ["film2.mp4", "film10.MKV", "sound.flac"].map { directory + "/" + $0 })
        #expect(DirectoryListing.isDirectory(directory))
    }
}
