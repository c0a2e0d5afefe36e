import Foundation

/// Encrypts the frames of MPEG-TS as HTTP Live Streaming has it (SAMPLE-AES), for tests.
struct TransportCipher {
    let key: [UInt8], vector: [UInt8]
    private static let types: [UInt8: UInt8] = [0x1B: 0xDB, 0x0F: 0xCF, 0x81: 0xC1, 0x87: 0xC2]

    /// A segment.
    func segment(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], tables: Set<Int> = [], types: [Int: UInt8] = [:]
        var waiting: [Int: [[UInt8]]] = [:]
        var counters: [Int: UInt8] = [:]
        for start in stride(from: 0, to: bytes.count - 187, by: 188) {
            var packet = Array(bytes[start..<(start + 188)])
            let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2]), isFirst = packet[1] & 0x40 != 0
            let body = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
            if pid == 0 {
                tables.insert(Int(packet[body + 11] & 0x1F) << 8 | Int(packet[body + 12]))
            } else if tables.contains(pid) {
                let found = Self.rewrite(&packet, body + 1)
                types.merge(found) { $1 }
            } else if types[pid] != nil {
                if isFirst, let whole = waiting[pid] { result += unit(whole, pid, types[pid] ?? 0, &counters) }
                if isFirst { waiting[pid] = [] }
                waiting[pid]?.append(packet)
                continue
            }
            result += packet
        }
        for (pid, whole) in waiting.sorted(by: { $0.key < $1.key }) { result += unit(whole, pid, types[pid] ?? 0, &counters) }
        return result
    }

    /// Gives the streams of a table the types of encrypted ones.
    private static func rewrite(_ packet: inout [UInt8], _ section: Int) -> [Int: UInt8] {
        let length = Int(packet[section + 1] & 0x0F) << 8 | Int(packet[section + 2]), end = section + 3 + length - 4
        var place = section + 12 + (Int(packet[section + 10] & 0x0F) << 8 | Int(packet[section + 11]))
        var found: [Int: UInt8] = [:]
        while place + 5 <= end {
            if let type = types[packet[place]] {
                found[Int(packet[place + 1] & 0x1F) << 8 | Int(packet[place + 2])] = packet[place]
                packet[place] = type
            }
            place += 5 + (Int(packet[place + 3] & 0x0F) << 8 | Int(packet[place + 4]))
        }
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in packet[section..<end] {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        packet.replaceSubrange(end..<(end + 4), with: MP4Box.number(Int(sum), 4))
        return found
    }

    /// The packets of one PES, encrypted and packed anew.
    private func unit(_ packets: [[UInt8]], _ pid: Int, _ type: UInt8, _ counters: inout [Int: UInt8]) -> [UInt8] {
        func start(_ packet: [UInt8]) -> Int { packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4 }
        let payload = packets.flatMap { $0[start($0)...] }, head = 9 + Int(payload[8])
        let clear = Array(payload[head...])
        let body = type == 0x1B ? video(clear) : audio(clear, type)
        var rest = (payload[..<head] + body)[...], result: [UInt8] = [], isFirst = true
        while !rest.isEmpty {
            // The first one keeps its clock.
            var field: [UInt8]? =
                isFirst && packets[0][3] & 0x20 != 0 ? Self.plain(Array(packets[0][4..<start(packets[0])])) : nil
            var room = 184 - (field?.count ?? 0)
            if rest.count < room {
                field = field ?? (room - rest.count == 1 ? [0] : [0, 0])
                room = 184 - (field?.count ?? 0)
                if rest.count < room { field? += [UInt8](repeating: 0xFF, count: room - rest.count) }
                let length = (field?.count ?? 1) - 1
                field?[0] = UInt8(length)
            }
            let counter = counters[pid] ?? packets[0][3] & 15
            counters[pid] = (counter + 1) & 15
            let taken = rest.prefix(184 - (field?.count ?? 0))
            result += [0x47, (isFirst ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 255), (field == nil ? 0x10 : 0x30) | counter]
            result += (field ?? []) + taken
            rest = rest.dropFirst(taken.count)
            isFirst = false
        }
        return result
    }

    /// An adaptation field without its stuffing.
    private static func plain(_ field: [UInt8]) -> [UInt8] {
        guard field.count > 1 else { return field }
        let length = 2 + (field[1] & 0x10 != 0 ? 6 : 0)
        return [UInt8(length - 1)] + field[1..<length]
    }

    // MARK: - Frames

    private func video(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], units: [(code: Int, start: Int)] = [], place = 0
        while place + 3 <= bytes.count {
            if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                units.append((place > 0 && bytes[place - 1] == 0 ? place - 1 : place, place + 3))
                place += 3
            } else {
                place += 1
            }
        }
        for (number, unit) in units.enumerated() {
            let end = number + 1 < units.count ? units[number + 1].code : bytes.count
            var own = Array(bytes[unit.start..<end])
            if [1, 5].contains(own[0] & 31), own.count > 48 {
                let aes = TestAES(key)
                var block = 32, before = vector
                while own.count - block > 16 {
                    before = aes.chain(&own, block..<(block + 16), vector: before)
                    block += 160
                }
                own = Self.escaped(own)
            }
            result += bytes[unit.code..<unit.start] + own
        }
        return result
    }

    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], zeros = 0
        for byte in bytes {
            if zeros >= 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            result.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return result
    }

    private static let sizesAC3 = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1152, 1280]

    func audio(_ bytes: [UInt8], _ type: UInt8) -> [UInt8] {
        var result = bytes, place = 0
        let aes = TestAES(key)
        while place + 8 < bytes.count {
            let head = bytes[place...], at = { (offset: Int) in Int(head[head.startIndex + offset]) }
            let (size, clear): (Int, Int) =
                switch type {
                case 0x0F: ((at(3) & 3) << 11 | at(4) << 3 | at(5) >> 5, (at(1) & 1 == 0 ? 9 : 7) + 16)
                case 0x87: (((at(2) & 7) << 8 | at(3)) * 2 + 2, 16)
                // At 48 kHz.
                default: (Self.sizesAC3[(at(4) & 63) / 2] * 2, 16)
                }
            guard size > 0 else { break }
            if size > clear { aes.chain(&result, (place + clear)..<min(place + size, bytes.count), vector: vector) }
            place += size
        }
        return result
    }
}
