import AetherCore
import Glibc

/// The programs that speak with one server: one, or two side by side, each with a connection of its own. One thread uses them.
struct ShareLinks {
    private var links: [ShareLink] = []
    /// The first program is gone, or said what it never says.
    private(set) var hasEnded = false

    /// The end of a wait.
    enum Waiting {
        /// An answer, and which program it is from.
        case answer(ShareAnswer, lane: Int)
        /// A program is gone.
        case ended(lane: Int)
        /// The handle was woken, or the time is over.
        case woken
        case late
    }

    /// Starts the first program and asks it for a file or a folder.
    init?(_ request: ShareRequest, program: String) {
        guard let link = ShareLink(request, program: program) else { return nil }
        links = [link]
    }

    /// Starts the second program; false: that cannot be done.
    mutating func addSecond(_ request: ShareRequest, program: String) -> Bool {
        guard links.count == 1, let link = ShareLink(request, program: program) else { return false }
        links.append(link)
        return true
    }

    /// Ends the second program.
    mutating func dropSecond() { links.removeLast(links.count - 1) }

    /// Sends a request to one program.
    mutating func send(_ request: ShareRequest, lane: Int) {
        if links.indices.contains(lane) { links[lane].send(request) }
    }

    /// Sends a request to all of them.
    mutating func send(_ request: ShareRequest) { for lane in links.indices { links[lane].send(request) } }

    /// Copies bytes that an answer spoke of; `part` is within the memory.
    func copy(_ part: ShareReading.Part, to buffer: UnsafeMutableRawBufferPointer) {
        guard links.indices.contains(part.lane), let bytes = links[part.lane].memory?.bytes else { return }
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part.place..<(part.place + part.count)]))
    }

    /// Blocks until there is an answer, the handle is woken, or a time.
    mutating func wait(_ wake: WakeHandle, until deadline: HostTime, now: () -> HostTime) -> Waiting {
        while true {
            for lane in links.indices {
                switch links[lane].news() {
                case .answer(let answer): return .answer(answer, lane: lane)
                case .ended: return ended(lane)
                case nil: continue
                }
            }
            var polled = links.map(\.polled) + [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
            let left = (deadline - now()).nanoseconds / 1_000_000 + 1
            if left <= 0 { return .late }
            guard poll(&polled, nfds_t(polled.count), Int32(clamping: left)) >= 0 || errno == EINTR else { return ended(0) }
            if polled[links.count].revents != 0 { return .woken }
            for lane in links.indices where !links[lane].exchange(polled[lane].revents) { return ended(lane) }
        }
    }

    private mutating func ended(_ lane: Int) -> Waiting {
        if lane == 0 { hasEnded = true }
        return .ended(lane: lane)
    }
}
