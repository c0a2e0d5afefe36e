import AetherCore
import Glibc

/// The work of the remote control's thread: waits for clients, for their lines, and for what the player says to them.
struct RemoteLoop: Sendable {
    let state: Monitor<RemoteServer.State>
    let ownWake: WakeHandle
    let wake: WakeHandle
    let greeting: String

    func run(_ listener: RemoteListener?) {
        var room = RemoteRoom(greeting: greeting)
        var isOutOfDescriptors = false
        while deliver(to: &room) {
            // After what the player said: an answer lets lines on that came earlier, and nothing else would wake this thread for them.
            ask(room.takeRequests(), observed: room.observed)
            var descriptors = [
                pollfd(fd: ownWake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOutOfDescriptors ? -1 : listener?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            descriptors += room.descriptors
            // A client that waits to be let in where no descriptor is left would wake this thread without end: one look a second.
            if poll(&descriptors, nfds_t(descriptors.count), isOutOfDescriptors ? 1000 : -1) < 0, errno != EINTR { break }
            isOutOfDescriptors = false
            if descriptors[0].revents != 0 { ownWake.drain() }
            room.serve(descriptors.dropFirst(2))
            if let listener, descriptors[1].revents != 0 { isOutOfDescriptors = !admit(to: &room, from: listener) }
        }
        listener?.removePath()
        state.update { $0.isStopped = true }
    }

    /// Lets in the clients that wait; false where the system cannot.
    private func admit(to room: inout RemoteRoom, from listener: RemoteListener) -> Bool {
        while true {
            let client = listener.accept()
            if client >= 0 {
                room.admit(client)
            } else if client != -ECONNABORTED && client != -EINTR {
                return client == -EAGAIN
            }
        }
    }

    /// Asks the player, and says what is observed by now.
    private func ask(_ requests: [RemoteServer.Incoming], observed: Set<String>) {
        state.update { state in
            state.inbox += requests
            state.observed = observed
        }
        if !requests.isEmpty { wake.wake() }
    }

    /// Passes on what the player said; false: it is over.
    private func deliver(to room: inout RemoteRoom) -> Bool {
        let (lines, withdrawn, properties, isStopping, admitted) = state.update { state in
            defer { (state.outbox, state.withdrawn, state.admitted) = ([], [], []) }
            return (state.outbox, state.withdrawn, state.properties, state.isStopping, state.admitted)
        }
        for descriptor in admitted { room.admit(descriptor) }
        for (client, name) in withdrawn { room.withdraw(name, of: client) }
        room.say(lines, properties: properties)
        return !isStopping
    }
}

/// The clients of one server, 16 at most.
struct RemoteRoom: ~Copyable {
    private var clients: [Int: RemoteSeat] = [:]
    private var lastNumber = 0
    private var order: [Int] = []
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    private let greeting: String

    init(greeting: String) { self.greeting = greeting }

    var observed: Set<String> { clients.values.reduce(into: []) { $0.formUnion($1.client.observations.names) } }

    /// For poll(2), in the order in which `serve` wants them back.
    var descriptors: [pollfd] {
        order.compactMap { clients[$0] }.map { seat in
            let events = (seat.client.mayRead ? POLLIN : 0) | (seat.client.wantsToWrite ? POLLOUT : 0)
            // A client that has hung up is readable for ever; where it is not read, this thread is not to be woken for it.
            return pollfd(fd: events == 0 ? -1 : seat.client.descriptor, events: Int16(events), revents: 0)
        }
    }

    mutating func admit(_ descriptor: Int32) {
        lastNumber += 1
        let seat = RemoteSeat(RemoteClient(number: lastNumber, descriptor: descriptor))
        guard clients.count < RemoteServer.clientLimit else {
            seat.client.say(RemoteAnswer.failure("there are \(RemoteServer.clientLimit) clients already").line(id: .null))
            return
        }
        seat.client.say(greeting)
        clients[lastNumber] = seat
        order.append(lastNumber)
    }

    /// Reads and writes where it is possible.
    mutating func serve(_ ready: ArraySlice<pollfd>) {
        for (number, state) in zip(order, ready) where state.revents != 0 {
            guard let seat = clients[number] else { continue }
            if state.revents & Int16(POLLOUT) != 0 { seat.client.flush() }
            if state.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0, seat.client.mayRead || state.revents & Int16(POLLERR) != 0
            {
                seat.client.receive(&buffer)
            }
        }
    }

    /// The requests to the player, also of lines that came earlier and had to wait for answers. A client that is done leaves: only here,
    /// where no line of its own can still wait.
    mutating func takeRequests() -> [RemoteServer.Incoming] {
        var requests: [RemoteServer.Incoming] = []
        for number in order {
            guard let seat = clients[number] else { continue }
            while seat.client.unanswered < RemoteClient.unansweredLimit, let line = seat.client.input.nextLine() {
                if let request = seat.take(line) { requests.append(.init(client: number, request: request)) }
            }
            if seat.client.input.hasOverflowed { seat.refuse("a line has at most \(LineBuffer.lineLimit) bytes") }
        }
        leave()
        return requests
    }

    /// Answers, events, and the properties that each client observes, where they are others than it knows.
    mutating func say(_ lines: [(client: Int?, line: String)], properties: [String: JSON]) {
        for (client, line) in lines {
            if let client, let seat = clients[client] {
                seat.client.answer(line)
            } else if client == nil {
                for seat in clients.values { seat.client.say(line) }
            }
        }
        for seat in clients.values { seat.tell(properties) }
    }

    /// Withdraws a property that a client wanted to observe and cannot.
    func withdraw(_ name: String, of client: Int) { clients[client]?.client.observations.withdraw(name) }

    private mutating func leave() {
        for number in order where clients[number]?.client.isDone == true { clients[number] = nil }
        order.removeAll { clients[$0] == nil }
    }
}

/// A client in its place: what it observes is its own affair, all else is asked of the player.
final class RemoteSeat {
    var client: RemoteClient

    init(_ client: consuming RemoteClient) { self.client = client }

    /// Understands a line; nil: it needs no answer of the player's.
    func take(_ line: [UInt8]) -> RemoteRequest? {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
        do throws(RemoteRequest.Flaw) {
            let request = try RemoteRequest(line: line)
            if case .observe(let name, let isOn) = request.verb {
                // The player answers, for it knows which there are.
                if isOn, !client.observations.begin(name) {
                    client.refuse(
                        RemoteAnswer.failure("\(RemoteObservations.limit) are observed already: unobserve one").line(
                            id: request.id))
                    return nil
                }
                if !isOn { client.observations.end(name) }
            }
            client.ask()
            return request
        } catch {
            client.refuse(RemoteAnswer.failure(error.reason).line(id: error.id))
            return nil
        }
    }

    /// Says why and hears no more.
    func refuse(_ reason: String) {
        guard !client.isAtEnd else { return }
        client.refuse(RemoteAnswer.failure(reason).line(id: .null))
        client.isAtEnd = true
    }

    func tell(_ properties: [String: JSON]) {
        for (name, value) in client.observations.news(properties) {
            client.say(JSON.object(["event": .string("property"), "name": .string(name), "value": value]).line)
        }
    }
}
