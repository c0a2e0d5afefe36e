import AetherCore
import AetherMedia
import Glibc

/// The player's side of libswscale in a box. Frames and what is made of them lie in memory that both share. A worker that ends is replaced, as
/// `RestartPolicy` says: a frame that ends two of them is left out.
final class BoxedScaler: BoxedScaling {
    private let box: DecoderBox
    private var post = WorkerPost()
    /// Frames that lie where they were decoded, and the places for others and for what is made of them.
    private var loans: FrameLoans
    /// The worker has room for a decoder's memory beside its own.
    private var borrows = true
    private var memory: SharedPlaces?
    /// The fault after which no other worker is started.
    private var end: BoxFault?

    init(box: DecoderBox) { (self.box, loans) = (box, FrameLoans(from: box.pools)) }

    deinit {
        guard (memory?.bytes ?? 0) + loans.bytes <= DecoderBox.mostKept else { return post.end() }
        if let worker = post.release() { box.keep(scaler: worker) }
    }

    func planes(of frame: borrowing DecodedFrame, _ order: ScaleOrder) throws(MediaError) -> UnsafeRawBufferPointer {
        guard let room = FrameRecord.room(for: frame), room > 0 else {
            throw MediaError(.unsupported, "scale frame", reason: "no conversion from this pixel format or size")
        }
        let bytes = max(room, order.byteCount)
        while true {
            if let end { throw MediaError(.decodeFailed, "scale frame", fault: end) }
            let answer: BoxMessage
            do throws(BoxFault) {
                answer = try ask(frame, order, bytes)
            } catch {
                try recover(from: error, at: frame.pts)
                continue
            }
            if answer.kind == .failure {
                // It may be the memory that it has not.
                memory = nil
                throw ErrorRecord.error(answer.bytes)
            }
            guard let output = memory?.places[1].memory else { continue }
            return UnsafeRawBufferPointer(rebasing: output[..<order.byteCount])
        }
    }

    private func ask(
        _ frame: borrowing DecodedFrame, _ order: ScaleOrder, _ bytes: Int
    ) throws(BoxFault) -> BoxMessage {
        if !post.isHeld {
            (memory, loans, borrows) = (nil, FrameLoans(from: box.pools), true)
            post.give(to: try box.scaler())
        }
        var wish = RecordWriter()
        order.put(to: &wish)
        wish.put(true)
        // A message has one descriptor: one that brings memory for what is made has no other for the frame.
        guard borrows, (memory?.bytes ?? 0) >= order.byteCount, let descriptor = loans.put(frame, to: &wish) else {
            return try askWithCopy(of: frame, order, bytes)
        }
        // The worker holds nothing behind its answer.
        defer { loans.takeBackAll() }
        let answer = try post.answer(to: BoxMessage(.scaleFrame, wish.bytes), descriptor: descriptor)
        guard answer.kind == .failure else { return answer }
        // It may be room for the memory that it has not: 8K takes 2 GB of addresses.
        (loans, borrows) = (FrameLoans(from: box.pools), false)
        return try askWithCopy(of: frame, order, bytes)
    }

    private func askWithCopy(
        of frame: borrowing DecodedFrame, _ order: ScaleOrder, _ bytes: Int
    ) throws(BoxFault) -> BoxMessage {
        var wish = RecordWriter(), descriptor: Int32 = -1
        defer { if descriptor >= 0 { close(descriptor) } }
        order.put(to: &wish)
        wish.put(false)
        if (memory?.bytes ?? 0) < bytes {
            guard let made = SharedPlaces.make(bytes: bytes, count: 2) else { throw .missing }
            (memory, descriptor) = (made.memory, made.descriptor)
        }
        wish.put(descriptor >= 0 ? memory : nil) { $0.put(UInt64(clamping: $1.bytes)) }
        guard let record = FrameRecord.bytes(of: frame, into: memory?.places[0].memory) else { throw .missing }
        wish.put(record)
        return try post.answer(to: BoxMessage(.scaleFrame, wish.bytes), descriptor: descriptor)
    }

    /// Returns where the frame is to be tried with another worker; throws where it is left out.
    private func recover(from fault: BoxFault, at time: MediaTime?) throws(MediaError) {
        switch post.step(at: time) {
        case .goOn: return
        case .passBy: throw MediaError(.decodeFailed, "scale frame", fault: fault)
        case .giveUp: end = fault
        }
    }
}
