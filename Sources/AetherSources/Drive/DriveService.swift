import Glibc

/// Serves one player, in `aether-disc`: takes requests and reads the disc, one after the other, until the player hangs up.
package struct DriveService {
    private let socket: Int32
    private var frames = WireFrames()
    private var requests: [DriveRequest] = []
    private var room = [UInt8](repeating: 0, count: 16 << 10)

    package init(socket: Int32) { self.socket = socket }

    /// Blocks until the player has hung up, or says what none says. `open` opens a drive.
    package mutating func run<Drive: SectorDrive & ~Copyable>(_ open: (String) throws(DriveRefusal) -> Drive) {
        guard let path = opening() else { return }
        do throws(DriveRefusal) {
            var drive = try open(path)
            guard let table = drive.table() else { throw DriveRefusal.noTable }
            guard send(.opened(table)) else { return }
            var salvage = SectorSalvage()
            while let (number, sector, count) = next() {
                let answer: DriveAnswer
                do throws(DriveRefusal) {
                    if drive.mayHaveChanged() {
                        let other = try open(path)
                        guard other.table() == table else { throw DriveRefusal.changed }
                        drive = other
                    }
                    answer = try read(number, sector, min(count, table.leadOut - sector), table, drive, &salvage)
                } catch {
                    answer = .failure(number: number, error)
                }
                guard send(answer) else { return }
            }
        } catch {
            _ = send(.failure(number: 0, error))
        }
    }

    private func read<Drive: SectorDrive & ~Copyable>(
        _ number: UInt32, _ sector: Int, _ count: Int, _ table: DriveTable, _ drive: borrowing Drive,
        _ salvage: inout SectorSalvage
    ) throws(DriveRefusal) -> DriveAnswer {
        let size = max(0, count) * DriveSector.size
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { room.deallocate() }
        let lost = try salvage.fill(room, from: sector, of: table, drive)
        return .sectors(number: number, lost: UInt32(lost), bytes: [UInt8](room)[...])
    }

    /// The path that is to be opened.
    private mutating func opening() -> String? {
        while requests.isEmpty { guard receive(waits: true) else { return nil } }
        guard case .open(let path) = requests.removeFirst() else { return nil }
        return path
    }

    /// The next read that is still wanted; nil: the player is gone.
    private mutating func next() -> (number: UInt32, sector: Int, count: Int)? {
        while true {
            // What has come meanwhile may take back what was asked before.
            guard receive(waits: false) else { return nil }
            while !requests.isEmpty {
                switch requests.removeFirst() {
                case .read(let number, let sector, let count): return (number, sector, count)
                case .forget: continue
                case .open: return nil
                }
            }
            guard receive(waits: true) else { return nil }
        }
    }

    /// Takes what has come; `waits`: until something has. False: the player is gone.
    private mutating func receive(waits: Bool) -> Bool {
        var waits = waits
        while true {
            let count = recv(socket, &room, room.count, waits ? 0 : Int32(MSG_DONTWAIT))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return true }
            guard count > 0 else { return false }
            waits = false
            room.withUnsafeBytes { frames.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            do throws(WireFrames.Violation) {
                while let frame = try frames.next() {
                    guard let request = DriveRequest(frame) else { return false }
                    if case .forget(let first) = request {
                        requests.removeAll { if case .read(let number, _, _) = $0 { number < first } else { false } }
                    } else {
                        requests.append(request)
                    }
                }
            } catch {
                return false
            }
        }
    }

    private func send(_ answer: DriveAnswer) -> Bool {
        let frame = answer.frame
        var sent = 0
        while sent < frame.count {
            let count = frame.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
