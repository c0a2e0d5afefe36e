import Foundation

/// A Blu-ray disc with menus (HDMV), made by ourselves of the clips of `BluRayFixture`. It begins with its menu, playlist 10, a still frame behind 3 s
/// with three buttons: to title 1, to title 2, and to a page with two, one that leads back, and one to title 4, a program in Java. Title 1 is playlist 1, 10 s in two parts, with a menu over
/// it: to its second mark, where the second part begins, and to the second audio track, which closes the menu. Title 2 is playlist 2, 3 s without any.
/// Playlist 11 is the menu with its graphics in a clip of their own. Behind titles comes the menu. Title 3 is the menu once more, as playlist 12, which
/// goes round and round.
public enum BluRayMenuFixture {
    /// The number of a stream of interactive graphics.
    public static let pid = 0x1400
    /// The pixels of a button.
    public static let size = (width: 120, height: 30)

    /// The top left corner of a button, from 1.
    public static func place(ofButton number: Int) -> (x: Int, y: Int) { (40, 60 * number - 20) }

    /// White where it stands, red where it is selected, yellow where it is activated.
    private static func graphics(_ pages: [[[[UInt32]]]], isPopUp: Bool) -> MenuGraphics {
        var menu = MenuGraphics(
            pages.enumerated().map { page, buttons in
                MenuGraphics.Page(
                    id: page,
                    buttons.enumerated().map { index, commands in
                        let place = place(ofButton: index + 1), id = 10 * page + index + 1
                        var button = MenuGraphics.Button(id: id, x: place.x, y: place.y, commands: commands)
                        button.number = index + 1
                        button.down = 10 * page + (index + 1) % buttons.count + 1
                        button.up = 10 * page + (index + buttons.count - 1) % buttons.count + 1
                        (button.normal, button.selected, button.activated) = ([0, 0], [1, 1], [2, 2])
                        return MenuGraphics.Group(first: id, [button])
                    })
            })
        menu.isPopUp = isPopUp
        menu.objects = (0..<3).map { .init(id: $0, width: size.width, height: size.height, colour: UInt8($0 + 1)) }
        menu.colours = [[1, 235, 128, 128, 255], [2, 81, 240, 90, 255], [3, 210, 146, 16, 255]]
        return menu
    }

    /// The menu of the disc.
    public static let menu = graphics(
        [
            [[[0x2181_0000, 1, 0]], [[0x2181_0000, 2, 0]], [[0x51C0_0003, 0, 0x8000_0001]]],
            [[[0x51C0_0003, 0x8000_0003, 0x8000_0000]], [[0x2181_0000, 4, 0]]],
        ], isPopUp: false)

    /// The menu over title 1.
    public static let popUp = graphics(
        [[[[0x2285_0000, 1, 0]], [[0x51C0_0001, 0x8002_0000, 0], [0x1100_0007, 0, 0]]]], isPopUp: true)

    /// All files of the disc.
    public static func files() throws -> [UDFWriter.File] {
        let made = try BluRayFixture.made(), plain = BluRayFixture.streams
        let streams = plain + [BluRayTables.Stream(pid: pid, coding: 0x91, language: "eng")]
        func item(_ clip: Int, _ source: Int, isStill: Bool = false) -> BluRayTables.Item {
            let times = made.clips[source - 1].times
            return BluRayTables.Item(clips: [clip], start: times.lowerBound / 2, end: times.upperBound / 2, isStill: isStill)
        }
        let first = made.clips[0].times.lowerBound / 2, second = made.clips[1].times.lowerBound / 2
        let companion = (clip: 7, times: made.clips[2].times.lowerBound / 2..<made.clips[2].times.upperBound / 2)
        var files: [UDFWriter.File] = [
            ("BDMV/index.bdmv", BluRayTables.index(first: 0, menu: 1, titles: [2, 3, 4, nil])),
            (
                "BDMV/MovieObject.bdmv",
                BluRayTables.lists([
                    [[0x2181_0000, 0, 0]], [[0x2280_0000, 10, 0], [0x2081_0000, 0, 0]],
                    [[0x2280_0000, 1, 0], [0x2181_0000, 0, 0]], [[0x2280_0000, 2, 0], [0x2181_0000, 0, 0]],
                    [[0x2280_0000, 12, 0], [0x2081_0000, 0, 0]],
                ])
            ),
            (
                "BDMV/PLAYLIST/00001.mpls",
                BluRayTables.playlist([item(6, 1), item(2, 2)], marks: [(0, first), (1, second)], streams: streams)
            ),
            ("BDMV/PLAYLIST/00002.mpls", BluRayTables.playlist([item(3, 3)], marks: [], streams: plain)),
            ("BDMV/PLAYLIST/00010.mpls", BluRayTables.playlist([item(5, 4, isStill: true)], marks: [], streams: streams)),
            ("BDMV/PLAYLIST/00012.mpls", BluRayTables.playlist([item(5, 4)], marks: [], streams: streams)),
            (
                "BDMV/PLAYLIST/00011.mpls",
                BluRayTables.playlist([item(4, 4, isStill: true)], marks: [], streams: streams, companion: companion)
            ),
        ]
        for (number, source, graphics) in [(2, 2, nil), (3, 3, nil), (4, 4, nil), (5, 4, menu), (6, 1, popUp)]
            as [(Int, Int, MenuGraphics?)]
        {
            let clip = made.clips[source - 1]
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: clip.path))), added = 0
            if let graphics {
                bytes = listing(pid, in: bytes)
                let packets = graphics.packets(pid: pid, time: clip.times.lowerBound)
                // Behind the tables of the stream, which are its first packets.
                bytes.insert(contentsOf: packets, at: 3 * 192)
                added = packets.count / 192
            }
            let units = clip.units.map { (time: $0.time, packet: $0.packet < 3 ? $0.packet : $0.packet + added) }
            let table = BluRayTables.clip(
                graphics == nil ? plain : streams, packets: bytes.count / 192, times: clip.times, units: units)
            files.append((String(format: "BDMV/CLIPINF/%05d.clpi", number), table))
            files.append((String(format: "BDMV/STREAM/%05d.m2ts", number), bytes))
        }
        var beside = menu
        beside.isPreloaded = true
        files.append(("BDMV/STREAM/00007.m2ts", beside.packets(pid: pid, time: made.clips[3].times.lowerBound)))
        let clip = BluRayTables.clip(
            [BluRayTables.Stream(pid: pid, coding: 0x91, language: "eng")], packets: 30, times: made.clips[3].times,
            units: [(made.clips[3].times.lowerBound, 0)])
        return files + [("BDMV/CLIPINF/00007.clpi", clip)]
    }

    /// Writes the disc as an image.
    public static func image(in folder: TemporaryFolder) throws -> String {
        let path = folder.path("menus.iso")
        try Data(UDFWriter.image(try files())).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The tables of a stream with one more: of interactive graphics.
    private static func listing(_ pid: Int, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes, table: Int?
        for start in stride(from: 4, to: bytes.count - 188, by: 192) {
            let number = Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
            guard bytes[start + 1] & 0x40 != 0, bytes[start + 3] & 0x30 == 0x10 else { continue }
            // Behind the head stand the pointer and the section.
            let section = start + 5
            if number == 0, table == nil { table = Int(bytes[section + 10] & 0x1F) << 8 | Int(bytes[section + 11]) }
            guard number == table, bytes[section] == 2 else { continue }
            let length = Int(bytes[section + 1] & 0x0F) << 8 | Int(bytes[section + 2]), end = section + 3 + length - 4
            guard end + 9 <= start + 188 else { continue }
            bytes[end..<end + 5] = [0x91, 0xE0 | UInt8(pid >> 8), UInt8(pid & 255), 0xF0, 0]
            bytes[section + 1] = bytes[section + 1] & 0xF0 | UInt8((length + 5) >> 8)
            bytes[section + 2] = UInt8((length + 5) & 255)
            let sum = checksum(bytes[section..<end + 5])
            for index in 0..<4 { bytes[end + 5 + index] = UInt8(sum >> (24 - 8 * UInt32(index)) & 255) }
        }
        return bytes
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
    }
}
