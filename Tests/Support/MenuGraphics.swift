/// The interactive graphics of a Blu-ray disc's menu, written by ourselves: ffmpeg has no encoder for them.
public struct MenuGraphics: Sendable {
    /// A button. Objects are named by the numbers of the first and the last; 0xFFFF is none.
    public struct Button: Sendable {
        /// By which others name it.
        public var id: Int
        /// By which a person chooses it.
        public var number = 0xFFFF
        /// It is activated as soon as it is selected.
        public var actsAtOnce = false
        /// The top left corner.
        public var x = 0, y = 0
        /// The buttons to which the arrows lead.
        public var up, down, left, right: Int
        /// The objects of each look.
        public var normal = [0xFFFF, 0xFFFF], selected = [0xFFFF, 0xFFFF], activated = [0xFFFF, 0xFFFF]
        /// The objects begin again behind the last one.
        public var isRepeated = false
        /// Three numbers each.
        public var commands: [[UInt32]] = []

        /// A button to which all arrows lead back.
        public init(id: Int, x: Int = 0, y: Int = 0, commands: [[UInt32]] = []) {
            (self.id, self.x, self.y, self.commands) = (id, x, y, commands)
            (up, down, left, right) = (id, id, id, id)
        }
    }

    /// A group of buttons.
    public struct Group: Sendable {
        /// The one that is there at first.
        public var first: Int
        /// Those that it may be.
        public var buttons: [Button]

        /// A group.
        public init(first: Int, _ buttons: [Button]) { (self.first, self.buttons) = (first, buttons) }
    }

    /// A page.
    public struct Page: Sendable {
        /// By which commands name it.
        public var id: Int
        /// Each object stays for so many frames.
        public var framesPerObject = 0
        /// The button that is selected at first, and the one that is activated at the end of the choice.
        public var selected = 0xFFFF, activated = 0xFFFF
        /// Its colours.
        public var palette = 0
        /// In the order of drawing.
        public var groups: [Group]
        /// Effects with which it comes.
        public var effectCount = 0

        /// A page.
        public init(id: Int, _ groups: [Group]) { (self.id, self.groups) = (id, groups) }
    }

    /// A rectangle of one colour.
    public struct Object: Sendable {
        /// Its number, and its size.
        public var id, width, height: Int
        /// A place in the palette, not 0.
        public var colour: UInt8

        /// A rectangle.
        public init(id: Int, width: Int, height: Int, colour: UInt8) {
            (self.id, self.width, self.height, self.colour) = (id, width, height, colour)
        }
    }

    /// The size of the video.
    public var width = 320, height = 240
    /// The number of its rate; 3: 25 frames a second.
    public var rate = 3
    /// It is over the title only when a person calls it.
    public var isPopUp = false
    /// It lies in a clip of its own, without times.
    public var isPreloaded = false
    /// Its end and that of the choice, and the time without a key, in ticks of 90 kHz.
    public var end = 0, choiceEnd = 0, idleTime = 0
    /// The pages.
    public var pages: [Page]
    /// The bitmaps.
    public var objects: [Object] = []
    /// Entries of palette 0: a place, Y, Cr, Cb, and the strength.
    public var colours: [[UInt8]] = []
    /// Bytes of a segment of the composition or of an object, at most.
    public var pieceSize = 60_000

    /// A menu.
    public init(_ pages: [Page]) { self.pages = pages }

    private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    private func long(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
    private func time(_ value: Int) -> [UInt8] { [UInt8(value >> 32 & 1)] + long(UInt32(truncatingIfNeeded: value)) }
    private func segment(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { [kind] + word(body.count) + body }

    private func bytes(_ button: Button) -> [UInt8] {
        let flag: UInt8 = button.isRepeated ? 0x80 : 0
        var bytes = word(button.id) + word(button.number) + [button.actsAtOnce ? 0x80 : 0] + word(button.x) + word(button.y)
        bytes += [button.up, button.down, button.left, button.right].flatMap(word)
        bytes += button.normal.flatMap(word) + [flag, 0xFF] + button.selected.flatMap(word) + [flag, 0xFF]
        bytes += button.activated.flatMap(word) + word(button.commands.count)
        return bytes + button.commands.flatMap { $0.flatMap(long) }
    }

    private func bytes(_ page: Page) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(page.id), 0] + [UInt8](repeating: 0, count: 8)
        let window: [UInt8] = [0, 0, 0, 0, 0, 0, 10, 0, 10]
        let effect: [UInt8] = [0, 0, 100, 0, 2] + [0, 1, 0, 0, 0, 0, 0, 0] + [0, 1, 0, 0x80] + [UInt8](repeating: 0, count: 12)
        bytes +=
            page.effectCount == 0
            ? [0, 0] : [1] + window + [UInt8(page.effectCount)] + (0..<page.effectCount).flatMap { _ in effect }
        bytes += [0, 0, UInt8(page.framesPerObject)] + word(page.selected) + word(page.activated)
        bytes += [UInt8(page.palette), UInt8(page.groups.count)]
        for group in page.groups {
            bytes += word(group.first) + [UInt8(group.buttons.count)] + group.buttons.flatMap { self.bytes($0) }
        }
        return bytes
    }

    private func pieces(_ object: Object) -> [[UInt8]] {
        let high = UInt8(object.width >> 8), low = UInt8(object.width & 255)
        let line: [UInt8] = (object.width < 64 ? [0, 0x80 | low] : [0, 0xC0 | high, low]) + [object.colour, 0, 0]
        let bitmap = word(object.width) + word(object.height) + Array(repeatElement(line, count: object.height).joined())
        let whole = [0] + word(bitmap.count) + bitmap
        let starts = Array(stride(from: 0, to: whole.count, by: pieceSize))
        return starts.map { start in
            let flags: UInt8 = (start == 0 ? 0x80 : 0) | (start == starts.last ? 0x40 : 0)
            return segment(0x15, word(object.id) + [0, flags] + whole[start..<min(whole.count, start + pieceSize)])
        }
    }

    /// The segments, in their order.
    public var segments: [[UInt8]] {
        var composition: [UInt8] = [(isPreloaded ? 0x80 : 0) | (isPopUp ? 0x40 : 0)]
        if !isPreloaded { composition += time(end) + time(choiceEnd) }
        composition += [UInt8(idleTime >> 16 & 255)] + word(idleTime) + [UInt8(pages.count)] + pages.flatMap { bytes($0) }
        let whole = [UInt8(composition.count >> 16 & 255)] + word(composition.count) + composition
        let starts = Array(stride(from: 0, to: whole.count, by: pieceSize))
        let head = word(width) + word(height) + [UInt8(rate << 4)] + [0, 0, 0x80]
        let parts = starts.map { start in
            let flags: UInt8 = (start == 0 ? 0x80 : 0) | (start == starts.last ? 0x40 : 0)
            return segment(0x18, head + [flags] + whole[start..<min(whole.count, start + pieceSize)])
        }
        return parts + [segment(0x14, [0, 0] + colours.flatMap { $0 })] + objects.flatMap { pieces($0) } + [segment(0x80, [])]
    }

    /// The packets of a stream of a clip, each of 192 bytes with its time before it.
    public func packets(pid: Int, time: Int) -> [UInt8] {
        var bytes: [UInt8] = [], counter: UInt8 = 0
        for segment in segments {
            let stamp = [
                0x21 | UInt8(time >> 30 & 7) << 1, UInt8(time >> 22 & 255), UInt8(time >> 14 & 254) | 1, UInt8(time >> 7 & 255),
                UInt8(time << 1 & 254) | 1,
            ]
            let piece = [0, 0, 1, 0xBD] + word(segment.count + 8) + [0x81, 0x80, 5] + stamp + segment
            for start in stride(from: 0, to: piece.count, by: 184) {
                let part = piece[start..<min(piece.count, start + 184)]
                var packet: [UInt8] = [0x47, (start == 0 ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 255), 0x10 | counter]
                let room = 184 - part.count
                if room > 0 {
                    packet[3] |= 0x20
                    packet.append(UInt8(room - 1))
                    if room > 1 { packet += [0] + [UInt8](repeating: 0xFF, count: room - 2) }
                }
                bytes += [0, 0, 0, 0] + packet + part
                counter = (counter + 1) & 15
            }
        }
        return bytes
    }
}
