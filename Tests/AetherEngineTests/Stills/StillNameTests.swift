import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct StillNameTests {
    @Test(arguments: [
        ("film.mkv", 62.345, 0, "film-00h01m02.345.png"), ("/a/b/My Film.mp4", 3661, 0, "My Film-01h01m01.000.png"),
        ("film.mkv", -1, 2, "film-00h00m00.000-2.png"), ("..hidden", 0, 0, "hidden-00h00m00.000.png"),
        ("", 0, 0, "still-00h00m00.000.png"), ("a:b\\c.ts", 1, 0, "a_b_c-00h00m01.000.png"),
    ]) func saysTheFilmAndTheTime(source: String, seconds: Double, number: Int, name: String) {
        #expect(StillName.name(of: source, at: .seconds(seconds), number: number) == name)
    }

    @Test func controlCharactersAndEndlessNamesMakeNoFileNames() {
        let name = StillName.name(of: "\u{1B}[31m" + String(repeating: "é", count: 500), at: .zero)
        #expect(name.utf8.count < 160 && !name.unicodeScalars.contains { $0.value < 32 })
    }

    @Test func aFileThatIsThereIsNeverOverwritten() throws {
        let folder = try TemporaryFolder()
        let first = try StillFile.write([1], into: folder.url.path, source: "a.mkv", at: .zero)
        let second = try StillFile.write([2], into: folder.url.path, source: "a.mkv", at: .zero)
        #expect(first != second)
        #expect(try Data(contentsOf: URL(filePath: first)) == Data([1]) && Data(contentsOf: URL(filePath: second)) == Data([2]))
    }

    @Test func aFolderThatCannotBeWrittenIsSaidSo() {
        #expect(throws: MediaError.self) { try StillFile.write([1], into: "/proc/nothing/there", source: "a.mkv", at: .zero) }
    }
}
