import AetherCore
import AetherMedia

/// The parts of a glued source, each with a demuxer of its own.
extension ContainerSource {
    /// Where the present part begins, counted from where the first does.
    var ownStart: TimeSpan { demuxer.info.startTime + partShift - origin }

    /// Tells the formats and the window of a source whose parts are known before it is played. Blocks.
    func describeParts() throws(MediaError) {
        guard var glued, glued.parts.count > 1, let first = demuxer.info.duration else { return }
        defer { self.glued = glued }
        var end = demuxer.info.startTime + first
        glued.enter(0, glued.reader)
        for number in 1..<glued.parts.count {
            glued.place(number, at: end)
            let part: SourceInfo
            do throws(MediaError) {
                part = try open(try reader { () throws(IOReaderError) in try glued.reader(of: number) }).info
            } catch {
                // Playing ends there with the same words.
                if error.code == .interrupted { throw error }
                break
            }
            _ = description.adopt(part, of: index, format: number)
            guard let duration = part.duration else { break }
            end = end + duration
        }
        _ = try reader { () throws(IOReaderError) in try glued.resume() }
        guard let start = description.window.seekable?.lowerBound else { return }
        description.window = SourceWindow(seekable: start...max(start, end + shift))
    }

    /// Opens what lies behind the end of the present part. Returns false where nothing does. Blocks.
    func goOn() throws(MediaError) -> Bool {
        guard var glued, let reader = try reader({ () throws(IOReaderError) in try glued.following() }) else { return false }
        let number = glued.present + 1
        let next = try open(reader)
        glued.place(number, at: front)
        glued.enter(number, reader)
        self.glued = glued
        let begin = glued.parts[number].begin ?? front
        take(next, number: number, begin: begin)
        return true
    }

    /// Goes to the part that a point lies in, on the axis of the first. Blocks.
    func enterPart(at point: MediaTime) throws(MediaError) {
        guard var glued else { return }
        let number = glued.index(at: point)
        guard number != glued.present else { return }
        let reader = try reader { () throws(IOReaderError) in try glued.reader(of: number) }
        let part = try open(reader)
        let begin = glued.parts[number].begin ?? origin
        glued.enter(number, reader)
        self.glued = glued
        take(part, number: number, begin: begin)
    }

    private func reader<Result>(_ make: () throws(IOReaderError) -> Result) throws(MediaError) -> Result {
        do throws(IOReaderError) {
            return try make()
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "read", subject: name) }
            throw MediaError(.readFailed, "read", subject: name, reason: "\(error)")
        }
    }

    private func open(_ reader: GluedPartReader) throws(MediaError) -> Demuxer {
        try Demuxer(.reader(reader, name: name), options: options, source: index, interrupt: interrupt)
    }

    private func take(_ part: consuming Demuxer, number: Int, begin: MediaTime) {
        let shift = number == 0 ? .zero : begin - part.info.startTime
        part.numbering = number == 0 ? StreamNumbering(source: index) : description.adopt(part.info, of: index, format: number)
        passed = (bytesFetched, damageCount)
        (partShift, knownDamage) = (shift, 0)
        demuxer = part
        if let selected { select(selected) }
    }
}
