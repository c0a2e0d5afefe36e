import AetherCore
import AetherMedia

/// Decodes by software or, where a trial on the stream's first packets found that to cost less, on a device. What a device fails to decode is
/// decoded by software again, so that no frame is missing. Lives on the thread `video`.
struct AcceleratedDecoder: VideoDecoding, ~Copyable {
    let info: StreamInfo
    let acceleration: Acceleration
    let time: any TimeSource
    /// Those of software.
    let threads: Int
    let opened: DecodeEffort
    private(set) var effort: DecodeEffort
    /// nil while packets for the trial are gathered.
    private var decoder: VideoDecoder?
    private var isOnDevice = false
    /// Packets that the decoder gets before any other.
    private var waiting: ArraySlice<Packet> = []
    /// Behind those the end follows.
    private var endWaits = false
    private var hasEnded = false
    private var memory = ReplayMemory()
    /// Frames up to here came out of the device.
    private var covered: MediaTime?
    /// Software begins in the midst of a stretch whose packets are not kept.
    private var waitsForKey = false

    /// Opens a decoder as it was chosen for such a stream before, or one that tries. What is decoded for stills and for inspectors is not worth a
    /// trial. Throws as `VideoDecoder`.
    init(
        _ info: StreamInfo, threads: Int, effort: DecodeEffort, acceleration: Acceleration, time: any TimeSource
    ) throws(MediaError) {
        (self.info, self.threads, self.acceleration, self.time) = (info, threads, acceleration, time)
        (opened, self.effort) = (effort, effort)
        if effort.lowDelay || effort.tellsCoding {
            decoder = try VideoDecoder(info.parameters, threadCount: threads, effort: effort)
        } else if let known = acceleration.choice(for: stream) ?? obstacle() {
            try open(known)
        }
    }

    /// The stream, as choices are kept for it.
    var stream: Acceleration.Stream {
        Acceleration.Stream(
            codec: info.codecName, size: info.size, halvings: opened.halvings, format: ObjectIdentifier(info.parameters))
    }

    mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        guard let packet else {
            endWaits = true
            if decoder == nil { try decide() }
            return .accepted
        }
        if decoder == nil {
            waiting.append(packet)
            if waiting.count >= AccelerationPolicy.packets { try decide() }
            return .accepted
        }
        guard waiting.isEmpty, !endWaits else { return .full }
        return try give(packet)
    }

    mutating func receive() throws(MediaError) -> DecodedFrame? {
        var isRefused = false
        while decoder != nil {
            if let frame = try next() {
                isRefused = false
                if isCovered(frame.pts) { continue }
                if isOnDevice { memory.noteOut(frame.pts) }
                return frame
            }
            if let packet = waiting.popFirst() {
                // A decoder that is full has a frame; one that has none never takes the packet.
                if try give(packet) == .full, !isRefused {
                    waiting.insert(packet, at: waiting.startIndex)
                    isRefused = true
                }
            } else if endWaits {
                (endWaits, hasEnded) = (false, true)
                try end()
            } else {
                return nil
            }
        }
        return nil
    }

    mutating func flush() {
        decoder?.flush()
        waiting = []
        (endWaits, hasEnded, waitsForKey) = (false, false, false)
        memory = ReplayMemory()
        covered = nil
    }

    mutating func apply(_ effort: DecodeEffort) {
        self.effort = effort
        decoder?.apply(effort)
    }

    func needsReopening(for effort: DecodeEffort) -> Bool {
        switch decoder {
        case .some(let decoder) where !isOnDevice: decoder.needsReopening(for: effort)
        default:
            effort.halvings != opened.halvings || effort.lowDelay != opened.lowDelay || effort.tellsCoding != opened.tellsCoding
                || effort.omitsFilmGrain != opened.omitsFilmGrain
        }
    }

    // MARK: - The choice

    /// Why a trial would be no use; nil where there is a device.
    private func obstacle() -> DecodingChoice? {
        let found: DecodingChoice
        if info.parameters.isBoxed {
            found = .boxed
        } else if !HardwareDevice.knows(info.parameters) {
            found = .unknown(codec: info.codecName)
        } else {
            do throws(MediaError) {
                _ = try acceleration.device()
                return nil
            } catch {
                found = .unavailable(error)
            }
        }
        acceleration.note(found, for: stream)
        return found
    }

    /// Chooses by the packets that have come, which then go to whom it chose.
    private mutating func decide() throws(MediaError) {
        let choice = DecoderTrial(
            info: info, effort: effort, threads: threads, acceleration: acceleration, time: time
        ).choice(on: waiting)
        acceleration.note(choice, for: stream)
        try open(choice)
        decoder?.apply(effort)
    }

    private mutating func open(_ choice: DecodingChoice) throws(MediaError) {
        if choice.usesDevice {
            do throws(MediaError) {
                let device = try acceleration.device()
                let made = try VideoDecoder(info.parameters, effort: opened, on: device)
                acceleration.note(decoder: made.name)
                decoder = consume made
                isOnDevice = true
                return
            } catch {
                acceleration.note(.failed(error), for: stream)
            }
        }
        let made = try VideoDecoder(info.parameters, threadCount: threads, effort: opened)
        acceleration.note(decoder: made.name)
        decoder = consume made
        isOnDevice = false
    }

    // MARK: - Decoding

    private mutating func give(_ packet: Packet) throws(MediaError) -> SendResult {
        if waitsForKey, !packet.isKey { return .accepted }
        waitsForKey = false
        do throws(MediaError) {
            let answer = try decoder?.send(packet) ?? .accepted
            if isOnDevice, answer == .accepted { memory.note(packet) }
            return answer
        } catch {
            if isOnDevice { memory.note(packet) }
            try fallBack(error)
            return .accepted
        }
    }

    /// A frame of the decoder, whichever it is by then.
    private mutating func next() throws(MediaError) -> DecodedFrame? {
        do throws(MediaError) {
            return try decoder?.receive() ?? nil
        } catch {
            try fallBack(error)
            return nil
        }
    }

    private mutating func end() throws(MediaError) {
        do throws(MediaError) {
            _ = try decoder?.send(nil)
        } catch {
            try fallBack(error)
        }
    }

    /// Software goes on with what the device had and did not give. Throws what is no fault of a device.
    private mutating func fallBack(_ error: MediaError) throws(MediaError) {
        guard isOnDevice, error.code != .endOfMedia else { throw error }
        let choice = DecodingChoice.failed(error)
        acceleration.note(choice, for: stream)
        waiting = memory.packets + waiting
        covered = memory.newestOut
        waitsForKey = memory.isCut
        if hasEnded { (endWaits, hasEnded) = (true, false) }
        memory = ReplayMemory()
        decoder = nil
        try open(choice)
        decoder?.apply(effort)
    }

    /// Whether a frame came out of the device before.
    private mutating func isCovered(_ pts: MediaTime?) -> Bool {
        guard let covered, let pts else { return false }
        if pts <= covered { return true }
        self.covered = nil
        return false
    }
}
