/// Assembles the tables of programs out of the packets of an MPEG transport stream (ISO/IEC 13818-1, 2.4.4). Pure.
struct ProgramTables: Sendable {
    /// The PIDs on which tables of programs come, as the list of programs said last.
    private(set) var mapPIDs: Set<Int> = []
    /// Sections whose end has not come yet, by PID.
    private var open: [Int: [UInt8]] = [:]
    /// A multiplex has tens of programs.
    private static let programLimit = 512
    /// The longest section that a list or a table of programs may be.
    private static let longest = 1024

    /// Whether packets of this PID say how the stream is built.
    func isTable(_ pid: Int) -> Bool { pid < 0x20 || mapPIDs.contains(pid) }

    /// Whether a section waits for its end.
    var isOpen: Bool { !open.isEmpty }

    /// Gives up the sections that wait for their end.
    mutating func dropOpen() { open.removeAll() }

    /// Takes the payload of a packet; `begins`: a section begins in it. Returns the stream types by PID of each table of a program that it
    /// completes.
    mutating func take(_ payload: ArraySlice<UInt8>, pid: Int, begins: Bool) -> [[Int: UInt8]] {
        guard pid == 0 || mapPIDs.contains(pid) else { return [] }
        var found: [[Int: UInt8]] = []
        var rest = payload
        if begins {
            guard let pointer = rest.popFirst(), Int(pointer) <= rest.count else { return [] }
            if let former = open.removeValue(forKey: pid) { found += complete(former + rest.prefix(Int(pointer)), pid) }
            found += complete(Array(rest.dropFirst(Int(pointer))), pid)
        } else if let former = open.removeValue(forKey: pid) {
            found += complete(former + rest, pid)
        }
        return found
    }

    /// Takes the whole sections off the front; a rest waits.
    private mutating func complete(_ bytes: [UInt8], _ pid: Int) -> [[Int: UInt8]] {
        var found: [[Int: UInt8]] = []
        var rest = bytes[...]
        // 0xff is stuffing up to the end of the packet.
        while let first = rest.first, first != 0xff {
            guard rest.count >= 3 else {
                open[pid] = Array(rest)
                break
            }
            let length = 3 + (Int(rest[rest.startIndex + 1] & 0x0f) << 8 | Int(rest[rest.startIndex + 2]))
            guard length <= Self.longest else { break }
            guard rest.count >= length else {
                open[pid] = Array(rest)
                break
            }
            let section = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            // Shorter than its own head and checksum, not valid yet, or damaged.
            guard length >= 12, section[5] & 1 == 1, MPEGChecksum.of(section) == 0 else { continue }
            if section[0] == 0, pid == 0 { takeList(section) }
            if section[0] == 2, pid != 0 { found.append(Self.types(section)) }
        }
        return found
    }

    private mutating func takeList(_ section: [UInt8]) {
        if section[6] == 0 { mapPIDs.removeAll() }
        for place in stride(from: 8, to: section.count - 7, by: 4) where mapPIDs.count < Self.programLimit {
            // Program 0 names the network's own table.
            guard section[place] != 0 || section[place + 1] != 0 else { continue }
            let pid = Int(section[place + 2] & 0x1f) << 8 | Int(section[place + 3])
            if pid >= 0x20, pid < 0x1fff { mapPIDs.insert(pid) }
        }
    }

    private static func types(_ section: [UInt8]) -> [Int: UInt8] {
        var types: [Int: UInt8] = [:]
        let end = section.count - 4
        var place = 12 + (Int(section[10] & 0x0f) << 8 | Int(section[11]))
        while place + 5 <= end {
            types[Int(section[place + 1] & 0x1f) << 8 | Int(section[place + 2])] = section[place]
            place += 5 + (Int(section[place + 3] & 0x0f) << 8 | Int(section[place + 4]))
        }
        return types
    }
}
