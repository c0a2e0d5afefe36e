/// Keeps what events ask for within what can be drawn in time and memory. Scripts that people made are not changed by it.
struct ASSLimits {
    /// By tag: the largest number that it may have. Blur's cost grows with its square; letters of 2000 lines fill the largest canvas.
    private static let largest: [(tag: String, value: Double)] = [
        ("fscx", 5000), ("fscy", 5000), ("fsp", 2000), ("fs", 2000), ("xbord", 200), ("ybord", 200), ("bord", 200),
        ("xshad", 500),
        ("yshad", 500), ("shad", 500), ("blur", 40), ("be", 40), ("p", 16),
    ]
    /// Override tags in one event: karaoke by letter has some hundreds.
    private static let tagLimit = 1500
    /// Letters in one event, outside of drawings: those that join are laid out in time that grows with their square, 140 ms for 8000.
    private static let letterLimit = 4000
    /// The area that letters may cover in one event, in squares as high as the frame; a page full of text has one. 16 000 letters of 2000 lines took
    /// 1.6 GB, for the cache's limit counts only between frames.
    private static let areaLimit = 64.0

    /// The heights of the styles' letters, as shares of the canvas, and the largest of them.
    private let letterHeights: [String: Double]
    private let largestHeight: Double
    /// Lines of the canvas that sizes in events refer to.
    private let canvasHeight: Double

    /// The limits of a script.
    init(letterHeights: [String: Double] = [:], canvasHeight: Double = 288) {
        self.letterHeights = letterHeights
        largestHeight = letterHeights.values.max() ?? 0.07
        self.canvasHeight = canvasHeight.isFinite && canvasHeight >= 1 ? canvasHeight : 288
    }

    /// An event within the limits, and what it takes to draw.
    struct Bounded: Equatable {
        let markup: String
        let letters: Int
        /// In squares as high as the frame.
        let area: Double
    }

    /// The sums of an event so far.
    private struct Tally {
        var tags = 0, letters = 0, area = 0.0
        var height: Double, stretch = 1.0, edge = 0.0
        var isDrawing = false, hasDrawing = false

        /// The side of the square that a letter takes.
        var side: Double { height * max(1, stretch) + edge }
    }

    /// The event with its numbers bounded; text behind too many tags, letters or too large ones is cut.
    func bounded(_ markup: String) -> Bounded {
        var result = "", tally = Tally(height: letterHeight(of: markup))
        walk(markup, &tally, &result)
        // A drawing takes a tenth of the frame: libass keeps each that differs from others.
        return Bounded(
            markup: result, letters: min(tally.letters, Self.letterLimit),
            area: min(tally.area, Self.areaLimit) + (tally.hasDrawing ? 0.1 : 0))
    }

    private func letterHeight(of markup: String) -> Double {
        // Layer, style, name …
        let style = markup.prefix(400).split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).dropFirst().first
        return style.flatMap { letterHeights[String($0)] } ?? largestHeight
    }

    private func walk(_ markup: String, _ tally: inout Tally, _ result: inout String) {
        var rest = markup[...]
        while let open = rest.firstIndex(of: "{") {
            guard take(rest[..<open], &tally, &result) else { return }
            guard let close = rest[open...].firstIndex(of: "}") else {
                rest = rest[open...]
                break
            }
            guard let block = overrides(rest[open...close], &tally) else { return }
            result += block
            rest = rest[rest.index(after: close)...]
        }
        _ = take(rest, &tally, &result)
    }

    /// Takes over text; returns whether there is room for more.
    private func take(_ text: Substring, _ tally: inout Tally, _ result: inout String) -> Bool {
        guard !tally.isDrawing else {
            result += text
            return true
        }
        let cost = tally.side * tally.side
        // Letters of next to no size would be more than an integer holds.
        let fitting = cost > 0 ? min((Self.areaLimit - tally.area) / cost, Double(Self.letterLimit)) : Double(Self.letterLimit)
        let room = min(Self.letterLimit - tally.letters, fitting > 0 ? Int(fitting) : 0)
        let count = text.unicodeScalars.count
        tally.letters += count
        tally.area += Double(count) * cost
        guard count > room else {
            result += text
            return true
        }
        result.unicodeScalars.append(contentsOf: text.unicodeScalars.prefix(max(0, room)))
        return false
    }

    /// A block of overrides, bounded; nil behind too many.
    private func overrides(_ block: Substring, _ tally: inout Tally) -> String? {
        guard block.contains("\\") else { return String(block) }
        var result = ""
        for (index, part) in block.split(separator: "\\", omittingEmptySubsequences: false).enumerated() {
            if index == 0 {
                result += part
                continue
            }
            tally.tags += 1
            if tally.tags > Self.tagLimit { return nil }
            result += "\\" + tag(part, &tally)
        }
        return result
    }

    private func tag(_ part: Substring, _ tally: inout Tally) -> Substring {
        let name = part.drop { $0 == " " || $0 == "\t" }
        // Back to the style, or to another one: neither is larger than the largest.
        if name.hasPrefix("r") { (tally.height, tally.stretch, tally.edge) = (largestHeight, 1, 0) }
        for (tag, value) in Self.largest where name.hasPrefix(tag) {
            let argument = name.dropFirst(tag.count).drop { $0 == " " || $0 == "\t" }
            let isBracketed = argument.first == "("
            let rest = isBracketed ? argument.dropFirst().drop { $0 == " " || $0 == "\t" } : argument
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || ".-+eE".contains($0)) }
            guard !digits.isEmpty else { continue }
            let number = Double(digits) ?? .infinity
            let bounded = min(max(number, -value), value)
            // A number that is written anew has no plus sign.
            let isCut = abs(number) > value
            let isSigned = isCut ? bounded < 0 : digits.first.map { "+-".contains($0) } ?? false
            note(tag, abs(bounded), isRelative: isSigned, &tally)
            guard isCut else { return part }
            // The bracket stays: digits behind it, which libass ignores, would lengthen the number.
            return "\(tag)\(isBracketed ? "(" : "")\(Int(bounded))\(rest.dropFirst(digits.count))"
        }
        return part
    }

    private func note(_ tag: String, _ number: Double, isRelative: Bool, _ tally: inout Tally) {
        switch tag {
        // "+3" is three tenths larger. What comes to nothing, such as 0 or "-10", is the style's size again.
        case "fs" where isRelative: tally.height = max(tally.height * (1 + number / 10), largestHeight)
        case "fs": tally.height = number > 0 ? number / canvasHeight : largestHeight
        case "fscx", "fscy": tally.stretch = max(tally.stretch, number / 100)
        case "xbord", "ybord", "bord", "blur", "be": tally.edge = max(tally.edge, 2 * number / canvasHeight)
        case "p":
            tally.isDrawing = number > 0
            tally.hasDrawing = tally.hasDrawing || tally.isDrawing
        default: break
        }
    }
}
