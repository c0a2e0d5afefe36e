/// A list of commands of a Blu-ray disc (HDMV). Pure.
public struct MovieObject: Sendable, Equatable {
    /// A playlist that is left for a menu goes on behind it where it was left.
    public let isResumed: Bool
    /// The disc does not let a person call its menu.
    public let forbidsMenu: Bool
    /// In their order.
    public let commands: [HDMVCommand]

    /// A list.
    public init(isResumed: Bool = true, forbidsMenu: Bool = false, commands: [HDMVCommand]) {
        (self.isResumed, self.forbidsMenu, self.commands) = (isResumed, forbidsMenu, commands)
    }
}

/// The lists of commands of a Blu-ray disc, as MovieObject.bdmv has them. Pure.
public struct MovieObjects: Sendable, Equatable {
    /// By their numbers.
    public let objects: [MovieObject]

    /// The bytes that the file begins with.
    public static let magic = "MOBJ"
    private static let name = "list of commands"
    /// Commands that are looked at in all.
    private static let commandLimit = 1 << 20

    /// Lists of commands.
    public init(_ objects: [MovieObject]) { self.objects = objects }

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic) else { throw .damaged(Self.name) }
        var objects: [MovieObject] = [], place = 50, left = Self.commandLimit
        for _ in 0..<(try bytes.short(48)) {
            let flags = try bytes.byte(place), count = try bytes.short(place + 2), taken = min(count, left)
            place += 4
            var commands: [HDMVCommand] = []
            for index in 0..<taken { commands.append(try HDMVCommand(bytes, at: place + HDMVCommand.size * index)) }
            objects.append(
                MovieObject(isResumed: flags & 0x80 != 0, forbidsMenu: flags & 0x40 != 0, commands: commands))
            place += HDMVCommand.size * taken
            left -= count
            guard left > 0 else { break }
        }
        self.objects = objects
    }

    /// The playlists that lists of commands lead to by numbers of their own, themselves or by those that they go over to.
    public func playlists(from numbers: [Int]) -> Set<Int> {
        var found: Set<Int> = [], waiting = numbers, met: Set<Int> = []
        while let next = waiting.popLast() {
            guard objects.indices.contains(next), met.insert(next).inserted else { continue }
            for command in objects[next].commands {
                if let playlist = command.statedPlaylist { found.insert(playlist) }
                if let object = command.statedObject { waiting.append(object) }
            }
        }
        return found
    }
}
