public import AetherCore

/// The graphics side of a terminal that speaks kitty's protocol: pictures in memory, places where they are shown, answers. Strict: what
/// it does not know, or what the protocol forbids, it keeps in `faults`.
public struct VTKitty {
    /// One place where a picture is shown.
    public struct Place: Equatable {
        public var id: Int, placement: Int
        public var column: Int, row: Int
        /// Cells that it is scaled to; nil for its own pixels.
        public var columns: Int?, rows: Int?
        /// The layer: higher lies over lower, below 0 under the text.
        public var z: Int
        /// The placement is shown by Unicode placeholders.
        public var isVirtual: Bool
    }

    /// Pictures by id, with their alpha.
    public private(set) var pictures: [Int: RasterImage] = [:]
    /// Where they are shown.
    public private(set) var places: [Place] = []
    /// The faults that were found.
    public private(set) var faults: [String] = []
    /// The answers that the terminal would have written so far.
    public private(set) var answers: [[UInt8]] = []
    /// How often anything was shown that had no picture, or pixels that were shown went away before new ones came.
    public private(set) var blanks = 0
    /// Reads and removes a shared object; nil when there is none.
    public var readShared: (String) -> [UInt8]? = { _ in nil }
    /// Whether frames of pictures can be edited.
    public var hasFrameEdits = true
    /// The longest sequence seen, in bytes.
    public private(set) var longest = 0
    /// Commands so far, their letters.
    public private(set) var actions = ""
    private var keys: [Character: String] = [:]
    private var data: [UInt8] = []
    private var isLoading = false

    /// A terminal without pictures.
    public init() {}

    /// Whether a transfer has begun and not ended.
    public var isInsideTransfer: Bool { isLoading }

    /// Takes the body of an APC string, without its G, at a place of the cursor.
    public mutating func take(_ body: Substring.UTF8View, column: Int, row: Int) {
        longest = max(longest, body.count + 5)
        let halves = body.split(separator: 0x3B, maxSplits: 1, omittingEmptySubsequences: false)
        var found: [Character: String] = [:]
        for pair in halves[0].split(separator: 0x2C) {
            let parts = pair.split(separator: 0x3D, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].count == 1, let key = parts[0].first, !parts[1].isEmpty else {
                faults.append("malformed key \(String(decoding: pair, as: UTF8.self))")
                return
            }
            found[Character(Unicode.Scalar(key))] = String(decoding: parts[1], as: UTF8.self)
        }
        let payload = halves.count == 2 ? Base64Reader.read(halves[1]) : []
        guard let payload else { return faults.append("not base64") }
        if halves.count == 2, halves[1].count > 4096 { faults.append("chunk of \(halves[1].count)") }
        if isLoading { more(found, payload) } else { begin(found, payload) }
        guard !isLoading else { return }
        perform(column, row)
    }

    private mutating func begin(_ found: [Character: String], _ payload: [UInt8]) {
        keys = found
        data = payload
        isLoading = found["m"] == "1" && (found["t"] ?? "d") == "d"
    }

    private mutating func more(_ found: [Character: String], _ payload: [UInt8]) {
        let isFrame = keys["a"] == "f"
        let allowed: Set<Character> = isFrame ? ["m", "q", "a", "r"] : ["m", "q"]
        // Older kitty takes the number of the frame from the last chunk, so that a missing one means a new frame.
        if !Set(found.keys).isSubset(of: allowed) || isFrame && (found["a"] != "f" || found["r"] != "1") {
            faults.append("keys \(found.keys.sorted()) inside a transfer")
        }
        if found["m"] == "1", payload.count % 3 != 0 { faults.append("a chunk that is no multiple of four letters") }
        data += payload
        isLoading = found["m"] == "1"
        if let quiet = found["q"] { keys["q"] = quiet }
    }

    private func number(_ key: Character, _ otherwise: Int = 0) -> Int { keys[key].flatMap { Int($0) } ?? otherwise }

    private mutating func answer(_ message: String) {
        let quiet = number("q")
        guard number("i") > 0, quiet < 1 || message != "OK" && quiet < 2 else { return }
        let placement = number("p") > 0 ? ",p=\(number("p"))" : ""
        answers.append(Array("\u{1B}_Gi=\(number("i"))\(placement);\(message)\u{1B}\\".utf8))
    }

    private mutating func perform(_ column: Int, _ row: Int) {
        let action = keys["a"] ?? "t"
        actions += action
        switch action {
        case "t", "T": transmit(shows: action == "T", column, row)
        case "f": edit()
        case "a": if pictures[number("i")] == nil { answer("ENOENT:no picture") }
        case "d": delete()
        default: faults.append("action \(action)")
        }
    }

    private mutating func transmit(shows: Bool, _ column: Int, _ row: Int) {
        let id = number("i")
        // The end of a transfer that never was: an error, as in kitty.
        guard id > 0 else { return }
        pictures[id] = nil
        let hadPlaces = places.contains { $0.id == id }
        places.removeAll { $0.id == id }
        guard let picture = decode() else {
            if hadPlaces { blanks += 1 }
            return
        }
        pictures[id] = picture
        if shows { place(id, column, row) }
        answer("OK")
    }

    private mutating func decode() -> RasterImage? {
        if keys["t"] == "s" {
            guard let bytes = readShared(String(decoding: data, as: UTF8.self)) else {
                answer("EBADF:no such object")
                return nil
            }
            data = bytes
        }
        if keys["o"] == "z" { data = Zlib.inflate(data) ?? [] }
        let width = number("s"), height = number("v")
        let format = number("f", 32)
        let picture: RasterImage?
        if format == 100 {
            picture = PNGReader.read(data)
        } else {
            let step = format / 8
            picture = width > 0 && data.count >= width * height * step ? raw(width, height, step) : nil
        }
        if picture == nil { answer("ENODATA:not a picture") }
        return picture
    }

    private func raw(_ width: Int, _ height: Int, _ step: Int) -> RasterImage {
        RasterImage(
            width: width, height: height,
            pixels: (0..<width * height).map { place in
                data[place * step..<place * step + step].reversed().reduce(step == 3 ? 255 : 0) { $0 << 8 | UInt32($1) }
            })
    }

    private mutating func place(_ id: Int, _ column: Int, _ row: Int) {
        let isVirtual = number("U") == 1
        if !isVirtual, number("C") != 1 { faults.append("moves the cursor") }
        let place = Place(
            id: id, placement: number("p"), column: column, row: row, columns: keys["c"].flatMap { Int($0) },
            rows: keys["r"].flatMap { Int($0) }, z: number("z"), isVirtual: isVirtual)
        // An image over the text must have holes for it: images of shared memory can have them, and are looked at by their own tests.
        if !isVirtual, place.z >= -1_073_741_824, keys["t"] != "s" { faults.append("over the background of cells") }
        places.append(place)
    }

    private mutating func edit() {
        let id = number("i")
        guard hasFrameEdits else { return answer("ENOTSUP:no animation") }
        guard var picture = pictures[id] else { return answer("ENOENT:no picture") }
        guard number("r") == 1 else { return faults.append("a frame that is not the root") }
        guard let change = decode() else { return }
        let left = number("x"), top = number("y")
        if number("s") != change.width || number("v") != change.height { faults.append("an edit of another size") }
        if left + change.width > picture.width || top + change.height > picture.height {
            return faults.append("an edit beyond the picture")
        }
        for y in 0..<change.height {
            for x in 0..<change.width {
                let pixel = change[x, y]
                if number("X") == 1 || pixel >> 24 == 255 {
                    picture[left + x, top + y] = pixel
                } else if pixel >> 24 != 0 {
                    faults.append("half-clear pixels")
                }
            }
        }
        pictures[id] = picture
        answer("OK")
    }

    private mutating func delete() {
        guard keys["d"] == "I" else { return faults.append("delete \(keys["d"] ?? "a")") }
        let id = number("i")
        let wereShown = !places.isEmpty
        pictures[id] = nil
        places.removeAll { $0.id == id }
        if wereShown, places.isEmpty { blanks += 1 }
    }
}
