import AetherCore
import CCurl
import CLinux
import Glibc
import Synchronization

/// Thread `net`: all transfers of the process over libcurl's multi interface, which keeps connections, names and TLS sessions from one to the
/// next. Everything said to it returns at once.
final class TransferLoop: Sendable {
    /// The process's loop; its thread begins with the first transfer, and halts when the process ends.
    static let shared = TransferLoop(haltsAtExit: true)

    private enum Command: Sendable {
        case start(Int, TransferOrder, any TransferSink)
        case resume(Int)
        case drop(Int)
        case halt
        case quit
    }

    /// The state that the thread shares with its callers.
    private final class Inbox: Sendable {
        let commands = Monitor<[Command]>([])
        let isHalted = Monitor(false)
        let wake = WakeHandle()

        func put(_ command: Command) {
            commands.update { $0.append(command) }
            wake.wake()
        }

        func take() -> [Command] {
            wake.drain()
            return commands.update {
                let all = $0
                $0 = []
                return all
            }
        }

        /// Returns at the deadline, or with the next command.
        func rest(until deadline: HostTime) { _ = commands.wait(until: deadline) { $0.isEmpty ? nil : true } }

        /// Says that the thread touches no connection any more, and blocks until it is to end. `taken`: the commands that were taken with this one.
        func halt(_ taken: [Command]) {
            isHalted.update { $0 = true }
            func quits(_ commands: [Command]) -> Bool { commands.contains { if case .quit = $0 { true } else { false } } }
            if quits(taken) { return }
            _ = commands.wait { quits($0) ? true : nil }
        }
    }

    private let inbox = Inbox()
    private let haltsAtExit: Bool
    private let thread = Mutex<WorkerThread?>(nil)
    private let nextNumber = Atomic(1)
    private let memories = Mutex<[String: WeakMemory]>([:])
    private let origins = Mutex<[WebOrigin: WeakOrigin]>([:])
    private let ranges = RangeRecord()
    private let sleepers = Sleepers()

    /// A loop of its own, without a thread until the first transfer. `haltsAtExit`: for the one that lives as long as the process.
    init(haltsAtExit: Bool = false) { self.haltsAtExit = haltsAtExit }

    /// Ends the thread and all transfers, without a word to their sinks.
    deinit {
        guard let thread = thread.withLock({ $0 }) else { return }
        inbox.put(.quit)
        thread.join()
    }

    /// Begins a transfer and returns its number. The sink is told on the thread `net`.
    func start(_ order: TransferOrder, _ sink: any TransferSink) -> Int {
        let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
        start(number, order, sink)
        return number
    }

    /// A number for a transfer to come.
    func reserve() -> Int { nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue }

    /// Begins a transfer under a number that was reserved.
    func start(_ number: Int, _ order: TransferOrder, _ sink: any TransferSink) {
        thread.withLock { thread in
            guard thread == nil else { return }
            let inbox = inbox, sleepers = sleepers, haltsAtExit = haltsAtExit
            thread = WorkerThread(name: "net", urgency: .ordinary) { TransferLoop.run(inbox, sleepers, haltsAtExit: haltsAtExit) }
        }
        inbox.put(.start(number, order, sink))
    }

    /// A transfer whose bytes were wanted later goes on.
    func resume(_ number: Int) { inbox.put(.resume(number)) }

    /// Gives a transfer up; its sink may still be told of bytes that were on their way.
    func drop(_ number: Int) { inbox.put(.drop(number)) }

    // MARK: - The end of the process

    /// Libraries below libcurl take their tables down when the process ends, OpenSSL among them, while this thread still closes connections with
    /// them: SFTP's crash then. From here on it touches no connection, and no sink hears a word. Blocks until the thread has done what it is at, or
    /// the deadline; returns whether it has halted. Once more does nothing.
    @discardableResult
    func halt(until deadline: HostTime) -> Bool {
        guard thread.withLock({ $0 != nil }) else { return true }
        inbox.put(.halt)
        return inbox.isHalted.wait(until: deadline) { $0 ? true : nil } ?? false
    }

    /// Whether the thread touches no connection any more.
    var isHalted: Bool { inbox.isHalted.read { $0 } }

    /// libcurl closes a connection of SSH in a second at most, and seldom two at one stroke.
    private static let exitPatience = TimeSpan.seconds(3)

    /// The process calls the last one that was registered first. Registered behind `curl_global_init`, which has OpenSSL register its own, this one
    /// comes before that.
    private static func haltSharedAtExit() {
        if atexit({ TransferLoop.shared.halt(until: SystemTime().now() + TransferLoop.exitPatience) }) != 0 {
            Log.module("net").warning("transfers are not ended with the process: no room for it")
        }
    }

    // MARK: - What readers share

    private struct WeakMemory: Sendable {
        weak var memory: WebMemory?
    }

    private struct WeakOrigin: Sendable {
        weak var record: OriginRecord?
    }

    /// The record that readers of one server share while any of them lives.
    func record(of origin: WebOrigin) -> OriginRecord {
        origins.withLock { origins in
            if let record = origins[origin]?.record { return record }
            origins = origins.filter { $0.value.record != nil }
            let record = OriginRecord(ranges: ranges)
            origins[origin] = WeakOrigin(record: record)
            return record
        }
    }

    /// From now on the sleeper hears, on the thread `net`, that the machine has slept; it is held until `forgets`.
    func wakes(_ sleeper: any Sleeper) { sleepers.add(sleeper) }

    /// The sleeper hears no more. Once more does nothing.
    func forgets(_ sleeper: any Sleeper) { sleepers.remove(sleeper) }

    /// The memory of an address, shared by all readers that live at the same time.
    func memory(of key: String, _ room: HeldRoom) -> WebMemory {
        memories.withLock { memories in
            if let memory = memories[key]?.memory, !memory.isStale { return memory }
            memories = memories.filter { $0.value.memory != nil }
            let memory = WebMemory(room)
            memories[key] = WeakMemory(memory: memory)
            return memory
        }
    }

    // MARK: - The thread

    /// As many connections to one origin as browsers make.
    private static let connectionLimit = 6
    /// So many bytes at one stroke come over no link but the machine's own, or the fastest of a house: at 1 GB/s each wake-up of this thread, of the
    /// server's and of the reader's would bring a fifth of a megabyte, and cost as much as copying it. Looked at a little later it is more at once: a
    /// fifth less CPU, and more bytes a second.
    private static let burst = 64 << 10, rest = TimeSpan.milliseconds(0.15)

    private static func run(_ inbox: Inbox, _ sleepers: Sleepers, haltsAtExit: Bool) {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init(), let share = curl_share_init()
        else {
            return refuseAll(inbox)
        }
        if haltsAtExit { haltSharedAtExit() }
        aether_curl_share_sessions(share)
        aether_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionLimit)
        // One transfer a connection: in libcurl 7.88 one that is paused holds up all that share an HTTP/2 connection with it.
        aether_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        var handles: [Int: EasyHandle] = [:], versions = HTTPVersions()
        var watch = SleepWatch(), wokeAt: HostTime?
        let time = SystemTime()
        let wall = clinux_wall_watch()
        defer {
            if wall >= 0 { close(wall) }
            for handle in handles.values { curl_multi_remove_handle(multi, handle.curl) }
            handles = [:]
            curl_multi_cleanup(multi)
            curl_share_cleanup(share)
        }
        while true {
            let commands = inbox.take()
            for command in commands {
                switch command {
                case .quit: return
                case .halt: return inbox.halt(commands)
                case .start(let number, let order, let sink):
                    guard
                        let handle = EasyHandle(
                            order, number: number, sink: sink, share: share,
                            // Connections from before a sleep are dead, although they do not look it.
                            lifetime: wokeAt.map { max(1, Int((time.now() - $0).seconds)) }, versions: versions),
                        curl_multi_add_handle(multi, handle.curl) == CURLM_OK
                    else {
                        sink.end(.failed(NetworkFault(.other, detail: "this request cannot be made")), of: number)
                        continue
                    }
                    handles[number] = handle
                case .resume(let number): handles[number]?.resume()
                case .drop(let number):
                    guard let handle = handles[number], !handle.isIdle else { continue }
                    handles[number] = nil
                    curl_multi_remove_handle(multi, handle.curl)
                }
            }
            // Orders end the rest.
            if step(multi, share, &handles, &versions) >= burst { inbox.rest(until: time.now() + rest) }
            var extra = [inbox.wake.descriptor, wall].map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
            // libcurl wakes earlier for deadlines of its own.
            curl_multi_poll(multi, &extra, wall < 0 ? 1 : 2, 60_000, nil)
            if extra[1].revents != 0 { clinux_wall_watch_arm(wall) }
            if watch.look() {
                wokeAt = time.now()
                sleepers.tell()
            }
        }
    }

    /// Lets libcurl work, and tells the sinks what has come of it. Returns how many bytes of bodies came.
    private static func step(
        _ multi: UnsafeMutableRawPointer, _ share: UnsafeMutableRawPointer, _ handles: inout [Int: EasyHandle],
        _ versions: inout HTTPVersions
    ) -> Int {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var code = CURLE_OK
        while let curl = aether_curl_next_end(multi, &code) {
            guard let handle = handles.values.first(where: { $0.curl == curl }) else { continue }
            let end = handle.end(code), origin = handle.order.address.origin
            curl_multi_remove_handle(multi, curl)
            handles[handle.number] = nil
            if let services = handle.services { versions.heard(services, from: origin) }
            if handle.isWorthOlderHTTP(code) {
                versions.refused(by: origin)
                let again = EasyHandle(
                    handle.order, number: handle.number, sink: handle.sink, share: share, versions: versions)
                if let again, curl_multi_add_handle(multi, again.curl) == CURLM_OK {
                    handles[again.number] = again
                    continue
                }
            }
            handle.tell(end)
        }
        return handles.values.reduce(0) { $0 + $1.settle() }
    }

    /// Without libcurl nothing can be fetched, and everybody hears of it.
    private static func refuseAll(_ inbox: Inbox) {
        while true {
            let commands = inbox.take()
            for command in commands {
                switch command {
                case .quit: return
                case .halt: return inbox.halt(commands)
                case .start(let number, _, let sink):
                    sink.end(.failed(NetworkFault(.other, detail: "libcurl does not start")), of: number)
                case .resume, .drop: break
                }
            }
            var polled = pollfd(fd: inbox.wake.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, -1)
        }
    }
}
