import AetherCore

extension HTTPReading {
    // MARK: - Answers

    /// Judges the heads that have come. Returns the fault of one that is no use; that flow is gone.
    mutating func judgeHeads(_ now: HostTime) -> NetworkFault? {
        while let index = flows.firstIndex(where: { $0.head != nil && $0.base == nil }), let head = flows[index].head {
            let askedAt = flows[index].askedAt
            noteParts(index, head.0, now)
            if let fault = judge(index, head.0, isPrivate: head.isPrivate) {
                failureAskedAt = askedAt
                if flows[index].end == nil { effects.append(.drop(flows[index].number)) }
                flows.remove(at: index)
                return fault
            }
        }
        return nil
    }

    /// Learns whether the server knows parts. What is small, or of unknown length, may be made by a program of its own: it tells nothing.
    private func noteParts(_ index: Int, _ head: HTTPHead, _ now: HostTime) {
        let flow = flows[index]
        guard options.method == .get, !head.isPacked, [200, 206].contains(head.status) else { return }
        if head.acceptsRanges {
            origin.ranges.note(true, of: target.origin, now: now)
        } else if flow.isPart, head.contentLength.map({ $0 >= Self.tellingSize }) ?? false {
            origin.ranges.note(false, of: target.origin, now: now)
        }
    }

    private mutating func judge(_ index: Int, _ head: HTTPHead, isPrivate: Bool) -> NetworkFault? {
        let flow = flows[index]
        if hops == 0, target == address { self.isPrivate = isPrivate }
        if head.status == 401, !origin.usesDigest, head.wantsDigest {
            origin.usesDigest = true
            effects.append(.drop(flow.number))
            flows.remove(at: index)
            return nil
        }
        // A redirection's wish is about itself.
        if [200, 203, 206, 304].contains(head.status), CacheRules.forbids(head) { verdict = .never }
        // Of what is unpacked nothing tells this file from another; where nothing was read, nothing is mixed.
        let known = file?.isPacked ?? false && position == 0 ? nil : file
        let isPart = flow.isPart || flow.isSpared
        switch HTTPAnswer(head, asked: isPart ? flow.asked : nil, known: known, unpacks: unpacks) {
        // A document that names a file says that there is something: a cache that has just begun to fetch it may answer so.
        case .bytes(_, 0, _, _) where file == nil && options.document != nil && options.method == .get:
            return NetworkFault(.badAnswer, detail: "the file is empty")
        // The same file from its start, in the place of a part: perhaps only because its version was named.
        case .bytes(let base, _, _, _) where base < flow.asked && flow.isPart && file?.validator != nil && !asksWithoutValidator:
            asksWithoutValidator = true
            effects.append(.drop(flow.number))
            flows.remove(at: index)
        case .bytes(let base, let size, let isSeekable, let validator):
            flows[index].base = base
            // From the start on there is only the way through.
            flows[index].isPart = base == flow.asked && (flow.isPart || flow.isSpared && isSeekable)
            if file == nil, verdict == .unknown { verdict = CacheRules.isStorable(head) && !head.isPacked ? .fresh : .never }
            let now = WebFile(
                size: size, isSeekable: isSeekable, validator: validator, weakTag: file?.weakTag ?? head.weakTag, target: target,
                isPrivate: self.isPrivate ?? true,
                date: ServerDate(head) ?? file?.date, songInterval: head.fields["icy-metaint"].flatMap { Int($0) },
                isPacked: head.isPacked, partEnd: head.contentRange?.bounds.map { $0.upperBound + 1 })
            if file != now {
                file = now
                memory.file = now
            }
            hops = 0
        case .end(let size):
            if file == nil {
                file = WebFile(size: size, isSeekable: true, validator: nil, target: target, isPrivate: isPrivate)
                memory.file = file
            } else {
                remember { $0.size = size }
            }
            effects.append(.drop(flow.number))
            flows.remove(at: index)
        case .unchanged:
            guard file == nil, let cached else { return NetworkFault(.status(304)) }
            // Held, but not to be kept: it is asked for again, without a condition.
            if verdict == .never {
                self.cached = nil
            } else {
                verdict = .unchanged
                file = WebFile(
                    size: cached.size, isSeekable: true, validator: cached.validator, target: target,
                    isPrivate: self.isPrivate ?? isPrivate, date: ServerDate(head))
                memory.file = file
            }
            hops = 0
            effects.append(.drop(flow.number))
            flows.remove(at: index)
        case .redirect(let reference):
            switch RedirectPolicy.next(from: target, to: reference, hops: hops) {
            case .failure(let fault): return fault
            case .success(let next):
                target = next
                hops += 1
                effects.append(.drop(flow.number))
                flows.remove(at: index)
            }
        case .packed:
            // It is of no use by parts.
            unpacks = true
            effects.append(.drop(flow.number))
            flows.remove(at: index)
        case .fault(let fault): return fault
        }
        return nil
    }

    // MARK: - What the thread `net` says

    /// The head of an answer. Returns how long it took from the request on.
    @discardableResult
    mutating func take(_ head: HTTPHead, isPrivate: Bool, of number: Int, now: HostTime) -> TimeSpan? {
        guard let index = flows.firstIndex(where: { $0.number == number }) else { return nil }
        flows[index].head = (head, isPrivate)
        if head.status == 206, let bounds = head.contentRange?.bounds { flows[index].length = Int64(bounds.count) }
        flows[index].heard = now
        return now - flows[index].askedAt
    }

    /// Bytes of a body. The time is asked for once for all that comes at one stroke.
    mutating func take(_ bytes: UnsafeRawBufferPointer, of number: Int, now: @autoclosure () -> HostTime) -> TransferReceipt {
        guard !isClosed, let index = flows.firstIndex(where: { $0.number == number }) else { return .stop }
        // Behind the end that the answer states follows what is not of the file.
        if let length = flows[index].length, flows[index].ring.high + Int64(bytes.count) > length {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[..<Int(max(0, length - flows[index].ring.high))])
            guard !flows[index].isParked, flows[index].ring.append(rest) else {
                flows[index].isPaused = true
                return .later
            }
            (flows[index].heard, flows[index].end) = (now(), .complete)
            return .stop
        }
        let straight = deliver(bytes, of: index)
        guard !flows[index].isParked, flows[index].ring.append(UnsafeRawBufferPointer(rebasing: bytes[straight...])) else {
            flows[index].isPaused = true
            return .later
        }
        if flows[index].fresh == 0 {
            let now = now()
            (flows[index].heard, flows[index].freshSince, flows[index].freshFirst) = (now, now, bytes.count)
        }
        flows[index].fresh += bytes.count
        return .taken
    }

    /// Gives bytes to the read that waits for them, as many as it has room for, and returns how many: they do not pass through the ring.
    private mutating func deliver(_ bytes: UnsafeRawBufferPointer, of index: Int) -> Int {
        let flow = flows[index]
        guard let read = waiting, !flow.isParked, flow.ring.unread == 0, flow.high == position + Int64(read.filled),
            // A piece that libcurl keeps it keeps whole.
            bytes.count <= flow.ring.free
        else { return 0 }
        let count = waiting?.take(bytes) ?? 0
        flow.ring.pass(count)
        return count
    }

    /// No more is at hand. Returns what came since the last time; nil: nothing.
    mutating func settle(_ number: Int, now: HostTime) -> Arrival? {
        guard let index = flows.firstIndex(where: { $0.number == number }), flows[index].fresh > 0 else { return nil }
        let flow = flows[index]
        (flows[index].heard, flows[index].fresh) = (now, 0)
        return Arrival(first: flow.freshFirst, since: flow.freshSince, rest: flow.fresh - flow.freshFirst)
    }

    /// A transfer has ended.
    mutating func take(_ end: TransferEnd, of number: Int) {
        guard let index = flows.firstIndex(where: { $0.number == number }), flows[index].end == nil else { return }
        flows[index].end = end
    }
}
