import AetherCore
import AetherDesktop
import AetherEngine
import AetherFormats

/// The channel properties of the remote control.
extension RemoteProperties {
    /// "channel-list" is at most 1000 around the present one: more would make a line that no client takes.
    private static let channelLimit = 1000
    private static let programmeLimit = 200

    func channelValue(_ name: String) -> JSON? {
        switch name {
        case "channel":
            television.flatMap { television in television.present.map { Self.channel($0, television) } } ?? .null
        case "channel-list":
            television.map { television in .array(Self.around(television).map { Self.channel($0, television) }) } ?? .null
        case "guide":
            television.flatMap { television in
                television.present.map { channel in
                    JSON.array(television.guide.programmes(of: channel).prefix(Self.programmeLimit).map(Self.programme))
                }
            } ?? .null
        case "on-air":
            snapshot.onAir == NowNext(at: 0)
                ? .null
                : .object([
                    "now": snapshot.onAir.now.map(Self.programme) ?? .null,
                    "next": snapshot.onAir.next.map(Self.programme) ?? .null,
                ])
        default: nil
        }
    }

    private static func around(_ television: Television) -> Range<Int> {
        let count = television.book.list.count
        let first = max(0, min((television.present ?? 0) - channelLimit / 2, count - channelLimit))
        return first..<min(count, first + channelLimit)
    }

    private static func channel(_ index: Int, _ television: Television) -> JSON {
        let onAir = television.nowNext(of: index)
        return .object([
            "number": JSON(television.book.list.number(index)), "name": .string(television.book.list.name(index)),
            "groups": .array(television.book.list.groupNumbers(of: index).map { .string(television.book.list.groups[$0]) }),
            "favourite": .bool(television.isFavourite(index)), "now": onAir.now.map(programme) ?? .null,
            "next": onAir.next.map(programme) ?? .null, "progress": JSON(onAir.progress),
        ])
    }

    private static func programme(_ programme: GuideProgramme) -> JSON {
        .object([
            "start": JSON(programme.start), "stop": JSON(programme.stop), "title": .string(programme.title),
            "summary": .string(programme.summary),
        ])
    }
}
