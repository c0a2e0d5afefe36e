import AetherCore
import AetherMedia
import Glibc

/// The player's side of filters in a box. Frames of video go in and come out through memory that both share, samples as they are. A worker that ends
/// is replaced, as `RestartPolicy` says; what its filters held back is lost.
final class BoxedFilters: BoxedFiltering {
    private let box: DecoderBox
    private let order: FilterOrder
    private let isVideo: Bool
    private var post = WorkerPost()
    private var shelf: FrameShelf
    /// Frames that the filters read where they were decoded, and the place for those that lie elsewhere.
    private var loans: FrameLoans
    /// The worker has room for a decoder's memory beside its own.
    private var borrows = true
    private var input: SharedPlaces?
    private(set) var timeBase = TimeBase(1, 1_000_000_000)
    /// The time of the frame that went in last.
    private var place: MediaTime?
    /// The frames that came since one went in. A worker that never stops handing them over is none.
    private var came = 0
    private let most: Int

    /// Opens the filters. Blocks. Throws what libavfilter refuses, and `.decodeFailed`.
    init(box: DecoderBox, order: FilterOrder) throws(MediaError) {
        (self.box, self.order) = (box, order)
        isVideo = order.medium == .video
        most = isVideo ? 4096 : 256
        (shelf, loans) = (FrameShelf(from: box.pools), FrameLoans(from: box.pools))
        try start()
    }

    deinit {
        // Loading libavfilter took it 20 ms: the next filters begin there.
        guard (input?.bytes ?? 0) + loans.bytes <= DecoderBox.mostKept else { return post.end() }
        if let worker = post.release() { box.keep(worker, filtersOf: order.medium) }
    }

    /// Frames that the filters read where they were decoded.
    var lentCount: Int { loans.lentCount }

    // MARK: - Work

    func send(_ frame: borrowing DecodedFrame) throws(MediaError) {
        (place, came) = (frame.pts ?? place, 0)
        while true {
            let answer: BoxMessage
            do throws(BoxFault) {
                answer = try put(frame)
            } catch {
                if try recover(from: error) { continue }
                return
            }
            try take(answer)
            return
        }
    }

    private func put(_ frame: borrowing DecodedFrame) throws(BoxFault) -> BoxMessage {
        var wish = RecordWriter()
        wish.put(true)
        guard borrows, let descriptor = loans.put(frame, to: &wish) else { return try putCopy(of: frame) }
        let answer = try post.answer(to: BoxMessage(.filterFrame, wish.bytes + shelf.releases()), descriptor: descriptor)
        guard answer.kind == .failure else { return answer }
        // It may be room for the memory that it has not: 8K takes 2 GB of addresses.
        (loans, borrows) = (FrameLoans(from: box.pools), false)
        return try putCopy(of: frame)
    }

    private func putCopy(of frame: borrowing DecodedFrame) throws(BoxFault) -> BoxMessage {
        guard let room = FrameRecord.room(for: frame) else { throw .nonsense }
        var wish = RecordWriter(), descriptor: Int32 = -1
        defer { if descriptor >= 0 { close(descriptor) } }
        if (input?.bytes ?? 0) < room {
            guard let made = SharedPlaces.make(bytes: room, count: 1) else { throw .missing }
            (input, descriptor) = (made.memory, made.descriptor)
        }
        wish.put(false)
        wish.put(descriptor >= 0 ? input : nil) { $0.put(UInt64(clamping: $1.bytes)) }
        guard let record = FrameRecord.bytes(of: frame, into: input?.places[0].memory) else { throw .missing }
        wish.put(record)
        return try post.answer(to: BoxMessage(.filterFrame, wish.bytes + shelf.releases()), descriptor: descriptor)
    }

    func finish() throws(MediaError) {
        came = 0
        if let answer = try ask(BoxMessage(.finishFilters, shelf.releases())) { try take(answer) }
    }

    func receive() throws(MediaError) -> DecodedFrame? {
        while true {
            if !shelf.isEmpty {
                came += 1
                if came <= most, let frame = shelf.next() { return frame }
                _ = try recover(from: .nonsense)
                return nil
            }
            guard !shelf.isAll, let answer = try ask(BoxMessage(.receiveFrame, shelf.releases())) else { return nil }
            guard let room = try take(answer) else { return nil }
            if !shelf.isEmpty || shelf.isAll { continue }
            // One that says neither that there is a frame nor that there is none would say so for ever.
            guard isVideo, room > 0, let other = shelf.makeRoom(room) else {
                _ = try recover(from: .nonsense)
                return nil
            }
            defer { close(other.descriptor) }
            _ = try ask(other.wish, descriptor: other.descriptor)
        }
    }

    /// Keeps the frames of an answer; returns the bytes that the next one needs, nil where another worker was started. Throws what the filters refused.
    @discardableResult
    private func take(_ answer: BoxMessage) throws(MediaError) -> Int? {
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
        var record = RecordReader(answer.bytes)
        loans.takeBack(record.list(limit: FrameLoans.most) { $0.integer(UInt32.self) })
        guard let handed = HandedFrames(&record), shelf.take(handed, isVideo: isVideo) else {
            _ = try recover(from: .nonsense)
            return nil
        }
        return handed.room
    }

    // MARK: - The worker

    /// Has the filters made by one.
    private func start() throws(MediaError) {
        var record = RecordWriter()
        order.put(to: &record)
        let wish = record.bytes
        (shelf, loans, input) = (FrameShelf(from: box.pools), FrameLoans(from: box.pools), nil)
        let answer: BoxMessage
        do throws(BoxFault) {
            if let early = openedByKept(wish) {
                answer = early
            } else {
                answer = try opened(by: box.worker(.filters), wish)
            }
        } catch {
            throw MediaError(.decodeFailed, "use the filters", fault: error)
        }
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
        var unit = RecordReader(answer.bytes)
        timeBase = TimeBase(unit.integer(), unit.integer())
    }

    /// By a worker that had others before; nil where none is kept, or it has ended since.
    private func openedByKept(_ wish: [UInt8]) -> BoxMessage? {
        guard let kept = box.keptWorker(filtersOf: order.medium) else { return nil }
        do throws(BoxFault) {
            return try opened(by: kept, wish)
        } catch {
            return nil
        }
    }

    private func opened(by worker: consuming BoxWorker, _ wish: [UInt8]) throws(BoxFault) -> BoxMessage {
        let answer = try worker.answer(to: BoxMessage(.openFilters, wish))
        guard answer.kind == .value || answer.kind == .failure else { throw .nonsense }
        post.give(to: worker)
        return answer
    }

    /// Asks the worker; nil where it ended and another one was started.
    private func ask(_ wish: BoxMessage, descriptor: Int32 = -1) throws(MediaError) -> BoxMessage? {
        do throws(BoxFault) {
            return try post.answer(to: wish, descriptor: descriptor)
        } catch {
            _ = try recover(from: error)
            return nil
        }
    }

    /// Another worker in the place of the one that ended. Returns whether the frame that went in last is to be tried once more; throws where no other
    /// one is started.
    private func recover(from fault: BoxFault) throws(MediaError) -> Bool {
        let step = post.step(at: place)
        guard step != .giveUp else { throw MediaError(.decodeFailed, "use the filters", fault: fault) }
        try start()
        return step == .goOn
    }
}
