/// Drawing into PNG.
extension KittyCanvas {
    /// Draws an image of the canvas's size. Not done when it grows over `limit` bytes: then what is shown is unknown, and `share`
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

    /// Draws what the last comparison found further off than a threshold, and `quota` pixels that are just as far off; all others are
    /// clear. When `limit` bytes will not do for that, only worse errors are sent further down; the rest waits.
    mutating func drawEdit(
        _ wanted: [UInt32], over bound: EditBound, depth: ChannelDepth, limit: Int, into stream: inout PNGStream
    ) -> Edit {
        let threshold = bound.quota > 0 ? bound.level - 1 : bound.level
        var edit = bounds(over: threshold)
        guard edit.height > 0 else { return edit }
        stream.begin(width: edit.width, search: depth.bits == 8 && dense(over: threshold) ? .matches : .runs)
        var pace = EditPace(histogram: histogram, bound: bound, limit: limit)
        let last = edit.y + edit.height
        for y in edit.y..<last {
            if Int(peaks[y]) < pace.level || Int(peaks[y]) == pace.level && pace.quota == 0 {
                stream.appendClear(width: edit.width)
                continue
            }
            let most = pace.pixels(ofAtMost: edit.width, &stream)
            let sent = prepare(wanted, row: y, edit, over: pace.level, quota: &pace.quota, depth: depth, most: most)
            row.withUnsafeBufferPointer { row in
                if let row = row.baseAddress { stream.appendRGBA(row, width: edit.width) }
            }
            edit.count += sent.asked
            pace.add(sent)
            if most < edit.width {
                edit.isCut = true
                edit.height = y + 1 - edit.y
                break
            }
        }
        return edit
    }

    private func dense(over threshold: Int) -> Bool {
        count(over: threshold) > width * height / 3
    }

    /// The rectangle around everything that is further off than a threshold.
    private func bounds(over threshold: Int) -> Edit {
        var edit = Edit()
        guard let top = peaks.firstIndex(where: { Int($0) > threshold }),
            let bottom = peaks.lastIndex(where: { Int($0) > threshold })
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

    /// Fills `row` with the pixels of one row that are sent, at most so many, and takes them for shown.
    private mutating func prepare(
        _ wanted: [UInt32], row y: Int, _ edit: Edit, over level: Int, quota: inout Int, depth: ChannelDepth, most: Int
    ) -> SentPixels {
        let start = y * width + edit.x, count = edit.width
        return wanted.withUnsafeBufferPointer { wanted in
            row.withUnsafeMutableBufferPointer { row in
                shown.withUnsafeMutableBufferPointer { shown in
                    errors.withUnsafeBufferPointer { errors in
                        guard let wanted = wanted.baseAddress, let row = row.baseAddress, let shown = shown.baseAddress,
                            let errors = errors.baseAddress
                        else { return SentPixels() }
                        PixelRows.reduce(wanted + start, count: count, by: depth, into: row)
                        let level = UInt8(clamping: level)
                        return Self.mask(row, shown + start, errors + start, count: count, over: level, quota: &quota, most: most)
                    }
                }
            }
        }
    }

    /// Clears the pixels of a row that are near enough or equal already; short gaps between sent ones are sent too.
    private static func mask(
        _ row: UnsafeMutablePointer<UInt32>, _ shown: UnsafeMutablePointer<UInt32>, _ errors: UnsafePointer<UInt8>, count: Int,
        over level: UInt8, quota: inout Int, most: Int
    ) -> SentPixels {
        var sent = SentPixels(), x = 0, end = 0
        while x < count, sent.all < most {
            let isNext = errors[x] == level && quota > 0
            guard errors[x] > level || isNext, row[x] != shown[x] else {
                x += 1
                continue
            }
            if isNext { quota -= 1 }
            // A gap is filled from the end of the last run, what lies further back is cleared.
            let from = x - end <= gap && end > 0 ? end : x
            for clear in end..<from { row[clear] = 0 }
            let room = min(x + 1, from + most - sent.all)
            for place in from..<room { shown[place] = row[place] }
            sent.all += room - from
            sent.asked += 1
            end = room
            x = max(x + 1, room)
        }
        for clear in end..<count { row[clear] = 0 }
        return sent
    }
}
