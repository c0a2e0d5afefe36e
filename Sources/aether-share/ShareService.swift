import AetherCore
import AetherSources
import Glibc

/// Serves one player: this thread takes requests, one speaks with the server, one sends answers. So a request that is of no use any more is
/// heard of while another one waits for the server.
struct ShareService {
    private struct State {
        var requests: [ShareRequest] = []
        var answers: [(number: UInt32, frame: [UInt8])] = []
        var firstWanted: UInt32 = 0
    }

    let socket: Int32
    /// Where the bytes of a file go; nil: the player wants a folder.
    let memory: ShareMemory?
    private let state = Monitor(State())

    init(socket: Int32, memory: ShareMemory?) { (self.socket, self.memory) = (socket, memory) }

    /// Until the player hangs up; then the process ends, for a thread may still wait for the server.
    func run() -> Never {
        let (state, socket, memory) = (state, socket, memory)
        let speaking = WorkerThread(name: "share-smb") { Self.speak(state, memory) }
        let sending = WorkerThread(name: "share-send") { Self.send(state, socket) }
        withExtendedLifetime((speaking, sending)) { receive() }
        _exit(0)
    }

    private func receive() {
        var frames = WireFrames()
        var room = [UInt8](repeating: 0, count: 64 << 10)
        do {
            while true {
                let count = Glibc.read(socket, &room, room.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                room.withUnsafeBytes { frames.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while let frame = try frames.next() {
                    guard let request = ShareRequest(frame) else { return }
                    state.update {
                        if case .forget(let number) = request { $0.firstWanted = number } else { $0.requests.append(request) }
                    }
                }
            }
        } catch {}
    }

    private static func speak(_ state: Monitor<State>, _ memory: ShareMemory?) {
        var server = ShareServer(), file: (any ServerFile)?
        while true {
            let next = state.wait { state -> ShareRequest? in
                // 8 answers of 500 entries wait at most.
                state.answers.count >= 8 || state.requests.isEmpty ? nil : state.requests.removeFirst()
            }
            guard let next else { continue }
            switch next {
            case .forget: continue
            case .open(let address): say(opened(address, &server, &file), to: state)
            case .list(let address): list(address, to: state)
            case .read(let number, let offset, let count, let place):
                guard number >= state.read({ $0.firstWanted }) else { continue }
                let answer = memory.flatMap { file?.read(number, offset, count, to: place, of: $0) }
                say(answer ?? .failure(number: number, .other, text: "nothing is open"), number, to: state)
            }
        }
    }

    /// `number`: the request that is answered; one that is forgotten needs no answer.
    private static func say(_ answer: ShareAnswer, _ number: UInt32 = .max, to state: Monitor<State>) {
        let frame = answer.frame
        state.update { $0.answers.append((number, frame)) }
    }

    private static func opened(
        _ address: ShareAddress, _ server: inout ShareServer, _ file: inout (any ServerFile)?
    ) -> ShareAnswer {
        file?.close()
        file = nil
        do throws(ServerRefusal) {
            let opened = try server.open(address)
            file = opened
            return .opened(size: opened.size, modified: opened.modified)
        } catch {
            return .failure(number: 0, error.kind, text: error.text)
        }
    }

    private static func list(_ address: ShareAddress, to state: Monitor<State>) {
        do throws(ServerRefusal) {
            try ShareServer.list(address) { say(.entries($0), to: state) }
            say(.entries([]), to: state)
        } catch {
            say(.failure(number: 0, error.kind, text: error.text), to: state)
        }
    }

    private static func send(_ state: Monitor<State>, _ socket: Int32) {
        while true {
            let next = state.wait { state -> [UInt8]? in
                let firstWanted = state.firstWanted
                state.answers.removeAll { $0.number < firstWanted }
                return state.answers.isEmpty ? nil : state.answers.removeFirst().frame
            }
            guard let frame = next else { continue }
            // The speaking thread waits for room.
            state.update { _ in }
            var sent = 0
            while sent < frame.count {
                let count = frame.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { _exit(0) }
                sent += count
            }
        }
    }
}
