import AetherCore

/// A request to a device's thread.
enum DeviceOrder: Sendable {
    case configure(AudioFormat)
    case write([UInt8])
    case start, drop, stop, status
    case wait(frames: Int, wake: WakeHandle, until: HostTime)
}

/// The thread's answer, and the device's state since.
struct DeviceAnswer: Sendable {
    enum Outcome: Sendable {
        case done
        case format(AudioFormat)
        /// So many were written, and the state after that: the writing thread asks for it next.
        case written(Int, AudioDeviceStatus?)
        case status(AudioDeviceStatus)
        case wait(AudioWaitResult)
        case failed(MediaError)
    }
    let outcome: Outcome
    let bufferFrames, xrunCount: Int
}

/// Thread `sound-device`: owns one device, from its opening to its closing, and does one thing at a time with it. A caller waits for
/// the answer as long as it likes, and leaves: a library that is stuck in a call then blocks this thread alone. When the call
/// comes back after all the device is closed and the thread ends.
final class DeviceDesk: Sendable {
    private struct Exchange: Sendable {
        var order: DeviceOrder?
        var answer: DeviceAnswer?
        /// No more orders will come.
        var isLeft = false
        var isClosed = false
        /// The end was not waited for: the thread is among the stuck ones.
        var isGivenUp = false
    }
    private enum Turn: Sendable { case order(DeviceOrder), end }
    private let exchange = Monitor(Exchange())
    private let name: String
    /// A wait is cut into pieces of this: a process that was stopped itself has not waited meanwhile, which costs one of them.
    private static var look: TimeSpan { .milliseconds(250) }

    /// Starts the thread; the device is made on it.
    init(name: String, make: @escaping @Sendable () -> any AudioDevice) {
        self.name = name
        let exchange = exchange
        _ = WorkerThread(name: "sound-device", urgency: .deadline) {
            let device = make()
            while let order = Self.next(exchange) {
                let outcome = Self.carryOut(order, on: device)
                let answer = DeviceAnswer(outcome: outcome, bufferFrames: device.bufferFrames, xrunCount: device.xrunCount)
                exchange.update { $0.answer = answer }
            }
            device.close()
            exchange.update { state in
                state.isClosed = true
                if state.isGivenUp { StuckDevices.remove(name) }
            }
        }
    }

    /// Asks for something; only when the last thing was answered.
    func ask(_ order: DeviceOrder) {
        exchange.update {
            $0.answer = nil
            $0.order = order
        }
    }

    /// The answer, once; nil where there is none within that time.
    func answer(within span: TimeSpan) -> DeviceAnswer? {
        wait(span) { $0.answer.take() }
    }

    /// No more orders will come: the device is closed. Blocks until that is done, at most so long: another one may want it.
    func leave(within span: TimeSpan) {
        exchange.update { $0.isLeft = true }
        if wait(span, { $0.isClosed ? true : nil }) ?? false { return }
        exchange.update { [name] state in
            guard !state.isClosed else { return }
            state.isGivenUp = true
            StuckDevices.add(name)
        }
    }

    private func wait<Result: Sendable>(_ span: TimeSpan, _ condition: (inout Exchange) -> Result?) -> Result? {
        let time = SystemTime()
        var left = span
        while true {
            let piece = min(left, Self.look)
            let result: Result? = exchange.wait(until: time.now() + piece) { condition(&$0) }
            left = left - piece
            if result != nil || left <= .zero { return result }
        }
    }

    private static func next(_ exchange: Monitor<Exchange>) -> DeviceOrder? {
        let turn: Turn? = exchange.wait { state -> Turn? in
            if state.isLeft { return .end }
            return state.order.take().map { .order($0) }
        }
        if case .order(let order) = turn { return order }
        return nil
    }

    private static func carryOut(_ order: DeviceOrder, on device: any AudioDevice) -> DeviceAnswer.Outcome {
        do throws(MediaError) {
            switch order {
            case .configure(let wanted): return .format(try device.configure(wanted))
            case .write(let bytes):
                let frames = try Self.write(bytes, to: device)
                return .written(frames, frames > 0 ? try device.status() : nil)
            case .start: try device.start()
            case .drop: try device.drop()
            case .stop: return .status(try device.stop())
            case .status: return .status(try device.status())
            case .wait(let frames, let wake, let deadline):
                return .wait(try device.wait(frames: frames, wake: wake, until: deadline))
            }
            return .done
        } catch {
            return .failed(error)
        }
    }

    /// `withUnsafeBytes` rethrows untyped errors: the failure is carried out by hand.
    private static func write(_ bytes: [UInt8], to device: any AudioDevice) throws(MediaError) -> Int {
        var failure: MediaError?
        let frames = bytes.withUnsafeBytes { samples -> Int in
            do throws(MediaError) { return try device.write(samples) } catch { failure = error }
            return 0
        }
        if let failure { throw failure }
        return frames
    }
}
