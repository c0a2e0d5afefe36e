/// Drawing into PNG.
extension KittyCanvas {
    /// Draws a picture of the canvas's size. Not done when it grows over `limit` bytes: then what is shown is unknown, and `share`
    /// says how much of it had been drawn by then.
    mutating func drawWhole(
        _ wanted: [UInt32], depth: ChannelDepth, limit: Int, into stream: inout PNGStream
    ) -> (isDone: Bool, share: Double) {
        stream.begin(width: width, search: depth.bits == 8 ? .matches : .runs)
        let width = width, height = height
        return wanted.withUnsafeBufferPointer { wanted in
            shown.withUnsafeMutableBufferPointer { shown in
                guard let wanted = wanted.baseAddress, let shown = shown.baseAddress else { return (true, 1) }
                for y in 0..<height {
                    let line = shown + y * width
                    PixelRows.reduce(wanted + y * width, count: width, by: depth, into: line)
                    stream.appendRGB(line, above: y > 0 ? line - width : nil, width: width)
                    if stream.byteCount > limit { return (false, Double(y + 1) / Double(height)) }
                }
                return (true, 1)
            }
        }
    }

    /// Draws what the last comparison found further off than `threshold`, all other pixels clear. Begins where the last edit was cut,
    /// and ends before `limit` bytes are reached; the rest waits.
    mutating func drawEdit(
        _ wanted: [UInt32], threshold: Int, depth: ChannelDepth, limit: Int, into stream: inout PNGStream
    ) -> Edit {
        var edit = bounds(over: threshold, from: resume)
        if edit.height == 0, resume > 0 { edit = bounds(over: threshold, from: 0) }
        resume = 0
        guard edit.height > 0 else { return edit }
        stream.begin(width: edit.width, search: depth.bits == 8 && dense(over: threshold) ? .matches : .runs)
        var budget = EditBudget(limit: limit)
        let last = edit.y + edit.height
        for y in edit.y..<last {
            if Int(peaks[y]) <= threshold {
                stream.appendClear(width: edit.width)
                continue
            }
            let most = budget.pixels(ofAtMost: edit.width, &stream)
            let sent = prepare(wanted, row: y, edit, threshold: threshold, depth: depth, most: most)
            row.withUnsafeBufferPointer { row in
                if let row = row.baseAddress { stream.appendRGBA(row, width: edit.width) }
            }
            edit.count += sent
            budget.add(sent)
            if most < edit.width {
                edit.isCut = true
                edit.height = y + 1 - edit.y
                resume = y
                break
            }
        }
        return edit
    }

    private func dense(over threshold: Int) -> Bool {
        count(over: threshold) > width * height / 3
    }

    /// The rectangle around everything that is further off than a threshold, from a row on.
    private func bounds(over threshold: Int, from first: Int) -> Edit {
        var edit = Edit()
        guard let top = peaks[first...].firstIndex(where: { Int($0) > threshold }),
            let bottom = peaks[first...].lastIndex(where: { Int($0) > threshold })
        else { return edit }
        var left = width, right = -1
        errors.withUnsafeBufferPointer { errors in
            for y in top...bottom where Int(peaks[y]) > threshold {
                let line = y * width
                var x = 0
                while x < left, Int(errors[line + x]) <= threshold { x += 1 }
                left = min(left, x)
                x = width - 1
                while x > right, Int(errors[line + x]) <= threshold { x -= 1 }
                right = max(right, x)
            }
        }
        (edit.x, edit.y) = (left, top)
        (edit.width, edit.height) = (right - left + 1, bottom - top + 1)
        return edit
    }

    /// Fills `row` with the pixels of one row that are sent, at most so many, and takes them for shown. Returns their number.
    private mutating func prepare(
        _ wanted: [UInt32], row y: Int, _ edit: Edit, threshold: Int, depth: ChannelDepth, most: Int
    ) -> Int {
        let start = y * width + edit.x, count = edit.width
        return wanted.withUnsafeBufferPointer { wanted in
            row.withUnsafeMutableBufferPointer { row in
                shown.withUnsafeMutableBufferPointer { shown in
                    errors.withUnsafeBufferPointer { errors in
                        guard let wanted = wanted.baseAddress, let row = row.baseAddress, let shown = shown.baseAddress,
                            let errors = errors.baseAddress
                        else { return 0 }
                        PixelRows.reduce(wanted + start, count: count, by: depth, into: row)
                        return Self.mask(
                            row, shown + start, errors + start, count: count, threshold: UInt8(clamping: threshold), most: most)
                    }
                }
            }
        }
    }

    /// Clears the pixels of a row that are near enough or equal already; short gaps between sent ones are sent too.
    private static func mask(
        _ row: UnsafeMutablePointer<UInt32>, _ shown: UnsafeMutablePointer<UInt32>, _ errors: UnsafePointer<UInt8>, count: Int,
        threshold: UInt8, most: Int
    ) -> Int {
        var sent = 0, x = 0, end = 0
        while x < count, sent < most {
            guard errors[x] > threshold, row[x] != shown[x] else {
                x += 1
                continue
            }
            // A gap is filled from the end of the last run, what lies further back is cleared.
            let from = x - end <= gap && end > 0 ? end : x
            for clear in end..<from { row[clear] = 0 }
            let room = min(x + 1, from + most - sent)
            for place in from..<room { shown[place] = row[place] }
            sent += room - from
            end = room
            x = max(x + 1, room)
        }
        for clear in end..<count { row[clear] = 0 }
        return sent
    }
}

/// Keeps an edit within its bytes without asking zlib too often.
private struct EditBudget {
    let limit: Int
    /// Bytes that wait inside zlib at worst.
    private var waiting = 0

    init(limit: Int) { self.limit = limit }

    /// How many pixels of a row may still be sent: four bytes each at worst, and a few for the row.
    mutating func pixels(ofAtMost width: Int, _ stream: inout PNGStream) -> Int {
        guard limit < Int.max else { return width }
        if stream.byteCount + waiting + width * 4 + 32 > limit, waiting > 64 {
            stream.settle()
            waiting = 0
        }
        return min(width, max(0, limit - stream.byteCount - waiting - 32) / 4)
    }

    mutating func add(_ pixels: Int) { waiting += pixels * 4 + 16 }
}
