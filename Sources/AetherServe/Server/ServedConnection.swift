import AetherCore
import CLinux
import Glibc

/// One client: reads heads, writes answers, one after the other. Blocks on a thread of its own.
struct ServedConnection {
    let socket: Int32
    let stopping: WakeHandle

    /// A connection that asks nothing for so long is closed, and a head has to come within that time, however slowly.
    private static let idleSeconds = 20
    /// So long nothing is taken of an answer.
    private static let writeSeconds = 30

    func serve(_ desk: ServedDesk) {
        _ = clinux_set_nonblocking(socket, 1)
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var held: [UInt8] = []
        while let head = readHead(&held, desk.time) {
            do throws(ServedRequest.Flaw) {
                let request = try ServedRequest(head)
                let answer = desk.answer(request)
                guard write(answer.head(keepsAlive: request.keepsAlive)), request.isHead || write(answer.body), request.keepsAlive
                else { break }
            } catch {
                refuse(error.rawValue)
                break
            }
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private func refuse(_ status: Int) {
        let answer = ServedAnswer(status: status)
        _ = write(answer.head(keepsAlive: false)) && write(answer.body)
    }

    /// The next head with its empty line; nil where none comes.
    private func readHead(_ held: inout [UInt8], _ time: any TimeSource) -> [UInt8]? {
        let deadline = time.now() + .seconds(Double(Self.idleSeconds))
        var searched = 0
        while true {
            if let end = Self.end(held, from: max(0, searched - 3)) {
                defer { held.removeFirst(end) }
                return Array(held[..<end])
            }
            searched = held.count
            guard held.count <= ServedRequest.limit else {
                refuse(ServedRequest.Flaw.tooLong.rawValue)
                return nil
            }
            let left = deadline - time.now()
            guard left > .zero, Self.wait(socket, POLLIN, stopping, seconds: Int(left.seconds.rounded(.up))) else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            held.append(contentsOf: buffer.prefix(count))
        }
    }

    private static func end(_ bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in start..<max(start, bytes.count - 3) where bytes[index] == 13 {
            if bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 { return index + 4 }
        }
        return nil
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                guard Self.wait(socket, POLLOUT, stopping, seconds: Self.writeSeconds) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits for a descriptor; false where time is over, or serving ends. Negative seconds: for ever.
    static func wait(_ descriptor: Int32, _ events: Int32, _ stopping: WakeHandle, seconds: Int) -> Bool {
        var polls = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let status = poll(&polls, nfds_t(polls.count), seconds < 0 ? -1 : Int32(clamping: seconds * 1000))
            if status < 0, errno == EINTR { continue }
            return status > 0 && polls[1].revents == 0
        }
    }
}
