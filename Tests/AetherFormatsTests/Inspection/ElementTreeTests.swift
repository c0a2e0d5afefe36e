import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

@Suite struct ElementTreeTests {
    /// An element with a size of eight bytes; nil: the writer did not know it.
    private func element(_ id: [UInt8], _ body: [UInt8], isOpen: Bool = false) -> [UInt8] {
        id + (isOpen ? [0x01] + [UInt8](repeating: 0xFF, count: 7) : [0x01] + number(body.count, 7)) + body
    }

    private let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3], segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
    private let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75], info: [UInt8] = [0x15, 0x49, 0xA9, 0x66]

    private func boxes(_ bytes: [UInt8]) -> [InspectedBox] { ElementTree.boxes(InspectedBytes(bytes)) }

    @Test func elementsAreNamedAndTheirValuesRead() throws {
        let body =
            element([0x2A, 0xD7, 0xB1], number(1_000_000, 3)) + element([0x44, 0x89], [0x40, 0x8F, 0x40, 0, 0, 0, 0, 0])
            + element([0x4D, 0x80], Array("maker".utf8))
        let found = boxes(element(head, element([0x42, 0x82], Array("matroska".utf8))) + element(segment, element(info, body)))
        #expect(found.map(\.type) == ["EBML", "Segment"])
        #expect(found[0].part("DocType")?[field: "value"] == .text("matroska"))
        let about = try #require(found[1].part("Info"))
        #expect(about.children.map(\.type) == ["TimestampScale", "Duration", "MuxingApp"])
        #expect(about.part("Duration")?[field: "value"] == .number(1000))
        #expect(about.part("Duration")?.fields[0].meaning == "1.000 s")
    }

    @Test func sizesThatNobodyKnewEndWhereTheNextOneBegins() throws {
        let block = element([0xA3], [0x81, 0, 5, 0x80, 1, 2, 3])
        let first = element(cluster, element([0xE7], [0]) + block, isOpen: true),
            second = element(cluster, element([0xE7], [9]) + block, isOpen: true)
        let found = boxes(element(head, []) + element(segment, first + second, isOpen: true))
        let clusters = try #require(found.last).children
        #expect(clusters.map(\.type) == ["Cluster", "Cluster"])
        #expect(clusters.map(\.size) == [Int64(first.count), Int64(second.count)])
        let simple = try #require(clusters[1].part("SimpleBlock"))
        #expect(
            simple[field: "track"] == .integer(1) && simple[field: "timestamp"] == .integer(5)
                && simple[field: "keyframe"] == .flag(true))
    }

    @Test func aSumOfCheckIsCompared() throws {
        let body = element([0x4D, 0x80], Array("maker".utf8))
        let sum = Checksum.of(body), bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
        #expect(Checksum.of(Array("123456789".utf8)) == 0xCBF4_3926)
        let good = boxes(element(head, []) + element(segment, element(info, element([0xBF], bytes) + body)))
        #expect(good.last?.part("Info", "CRC-32")?[field: "check"] == .text("right"))
        let bad = boxes(element(head, []) + element(segment, element(info, element([0xBF], [1, 2, 3, 4]) + body)))
        #expect(bad.last?.part("Info")?.damage.first?.hasPrefix("its CRC-32 is wrong") == true)
    }

    @Test func elementsInOneAnotherWithoutEndAreBounded() {
        let tag: [UInt8] = [0x67, 0xC8]
        var bytes: [UInt8] = []
        for _ in 0..<10_000 { bytes += tag + [0xFF] }
        let found = boxes(element(head, []) + element(segment, bytes))
        #expect(found.reduce(0) { $0 + $1.count } < 100)
        let damage: [String] = found.flatMap { $0.everyDamage }
        #expect(damage.contains { $0.contains("deep in one another") })
    }

    @Test func whatIsNoElementIsSaidAndTheNextClusterFound() throws {
        let found = boxes(element(head, []) + element(segment, [0, 0, 0, 0, 0] + element(cluster, element([0xE7], [1]))))
        let media = try #require(found.last)
        #expect(media.damage.count == 1 && media.children.map(\.type) == ["Cluster"])
    }

    @Test func everyElementOfTheTableIsRead() {
        #expect(ElementKind.find(0x1A45DFA3)?.level == 0 && ElementKind.find(0x1F43B675)?.level == 1)
        #expect(ElementKind.find(0xA3)?.name == "SimpleBlock" && ElementKind.find(0x4487)?.content == .text)
        let lines = (ElementTable.segment + ElementTable.tracks + ElementTable.rest).split(separator: "\n")
        for line in lines {
            #expect(UInt32(line.split(separator: " ")[0], radix: 16).flatMap { ElementKind.find($0) } != nil, "\(line)")
        }
    }
}
