import AetherCore
import CSystemd
import Glibc

/// A connection to a message bus. Born, used and freed on one thread; `init`, `requestName` and `call` block for as long as the bus
/// does, at most 25 s.
struct BusConnection: ~Copyable {
    enum Kind: Sendable {
        /// The bus at the address of the environment.
        case session, system
        case address(String)
    }

    /// A call of a method that came in.
    struct Call {
        let interface: String
        let member: String
        let arguments: [BusValue]
    }

    /// The bus's answer.
    enum Answer: Equatable {
        case values([BusValue])
        /// A D-Bus error name and a sentence.
        case failure(String, String)
    }

    private final class Service {
        let answer: (Call) -> Answer
        init(answer: @escaping (Call) -> Answer) { self.answer = answer }
    }

    private let bus: OpaquePointer
    private var services: [Service] = []

    /// Connects.
    init(_ kind: Kind) throws(BusError) {
        var opened: OpaquePointer?
        switch kind {
        case .session: try BusError.check(sd_bus_open_user(&opened))
        case .system: try BusError.check(sd_bus_open_system(&opened))
        case .address(let address): opened = try BusConnection.open(address)
        }
        guard let opened else { throw BusError(number: ENOTCONN) }
        bus = opened
    }

    private static func open(_ address: String) throws(BusError) -> OpaquePointer {
        var made: OpaquePointer?
        try BusError.check(sd_bus_new(&made))
        guard let made else { throw BusError(number: ENOMEM) }
        do throws(BusError) {
            try BusError.check(sd_bus_set_address(made, address))
            try BusError.check(sd_bus_set_bus_client(made, 1))
            try BusError.check(sd_bus_negotiate_fds(made, 1))
            try BusError.check(sd_bus_start(made))
        } catch {
            sd_bus_unref(made)
            throw error
        }
        return made
    }

    deinit {
        // The last messages still go out, if the bus takes them.
        sd_bus_flush(bus)
        sd_bus_close(bus)
        sd_bus_unref(bus)
    }

    /// Is known by that name from now on.
    func requestName(_ name: String) throws(BusError) { try BusError.check(sd_bus_request_name(bus, name, 0)) }

    /// Answers calls to an object, inside `process`.
    mutating func serve(_ path: String, _ answer: @escaping (Call) -> Answer) throws(BusError) {
        let service = Service(answer: answer)
        services.append(service)
        let status = sd_bus_add_object(
            bus, nil, path,
            { message, context, error in
                guard let message, let context else { return 0 }
                let service = Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
                return BusConnection.reply(to: message, by: service, error)
            }, Unmanaged.passUnretained(service).toOpaque())
        try BusError.check(status)
    }

    private static func reply(to message: OpaquePointer, by service: Service, _ error: UnsafeMutablePointer<sd_bus_error>?)
        -> Int32
    {
        guard sd_bus_message_is_method_call(message, nil, nil) > 0, let member = sd_bus_message_get_member(message) else {
            return 0
        }
        let interface = sd_bus_message_get_interface(message).map { String(cString: $0) } ?? ""
        do throws(BusError) {
            let call = Call(interface: interface, member: String(cString: member), arguments: try BusMessage.values(of: message))
            switch service.answer(call) {
            case .values(let values):
                var made: OpaquePointer?
                try BusError.check(sd_bus_message_new_method_return(message, &made))
                guard let made else { throw BusError(number: ENOMEM) }
                let reply = BusMessage(owning: made)
                try reply.append(values)
                try BusError.check(sd_bus_send(nil, reply.pointer, nil))
                return 1
            case .failure(let name, let text): return sd_bus_error_set(error, name, text)
            }
        } catch {
            return -error.number
        }
    }

    /// Calls a method and waits for the answer.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue], patience: TimeSpan
    ) throws(BusError) -> [BusValue] {
        let answer = try ask(destination, path, interface, member, arguments, patience: patience)
        return try BusMessage.values(of: answer.pointer)
    }

    /// Calls a method whose answer is a file descriptor, which belongs to the caller.
    func descriptor(
        from destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue],
        patience: TimeSpan
    ) throws(BusError) -> Int32 {
        let answer = try ask(destination, path, interface, member, arguments, patience: patience)
        guard let descriptor = try BusMessage.descriptor(of: answer.pointer) else { throw BusError(number: EPROTO) }
        return descriptor
    }

    private func ask(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue], patience: TimeSpan
    ) throws(BusError) -> BusMessage {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_call(bus, &made, destination, path, interface, member))
        guard let made else { throw BusError(number: ENOMEM) }
        let call = BusMessage(owning: made)
        try call.append(arguments)
        var answered: OpaquePointer?
        try BusError.check(sd_bus_call(bus, call.pointer, UInt64(max(1, patience.nanoseconds / 1000)), nil, &answered))
        guard let answered else { throw BusError(number: ENOMEM) }
        return BusMessage(owning: answered)
    }

    /// Tells every listener.
    func emit(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) throws(BusError) {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_signal(bus, &made, path, interface, member))
        guard let made else { throw BusError(number: ENOMEM) }
        let signal = BusMessage(owning: made)
        try signal.append(values)
        try BusError.check(sd_bus_send(bus, signal.pointer, nil))
    }

    /// Takes in what has come and sends what is to go; throws when the bus is gone.
    func process() throws(BusError) { while try BusError.check(sd_bus_process(bus, nil)) > 0 {} }

    /// Blocks until there is something to process or `wake` is signalled.
    func wait(for wake: WakeHandle) throws(BusError) {
        let events = try BusError.check(sd_bus_get_events(bus))
        var due: UInt64 = 0
        try BusError.check(sd_bus_get_timeout(bus, &due))
        var descriptors = [
            pollfd(fd: try BusError.check(sd_bus_get_fd(bus)), events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&descriptors, 2, BusConnection.milliseconds(until: due)) < 0, errno != EINTR { throw BusError(number: errno) }
        if descriptors[1].revents != 0 { wake.drain() }
    }

    /// `due` is microseconds on CLOCK_MONOTONIC; all ones is never.
    private static func milliseconds(until due: UInt64) -> Int32 {
        guard due != .max else { return -1 }
        let now = UInt64(max(0, SystemTime().now().nanoseconds / 1000))
        return due <= now ? 0 : Int32(clamping: (due - now) / 1000 + 1)
    }
}
