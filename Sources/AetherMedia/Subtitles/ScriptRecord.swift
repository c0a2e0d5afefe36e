public import AetherCore

/// The orders of a script's renderer on their way into a box, and its layers on their way out.
public enum ScriptRecord {
    /// 64 MB of fonts are what a file is taken at most, 1 MB of header, some thousand events.
    private static let fontLimit = 64 << 20, headerLimit = 4 << 20
    private static let mostOrders = 4 * ASSRenderer.eventLimit

    // MARK: - Opening

    /// A script as bytes.
    public static func put(header: String, _ fonts: [FontAttachment], to record: inout RecordWriter) {
        record.put(header)
        record.put(each: fonts) {
            $0.put($1.filename)
            $0.put($1.mimeType)
            $0.put($1.data)
        }
    }

    /// The script of a record.
    public static func script(_ record: inout RecordReader) -> (header: String, fonts: [FontAttachment]) {
        let header = record.text(limit: headerLimit)
        let fonts = record.list(limit: 64) {
            FontAttachment(filename: $0.text(limit: 4096), mimeType: $0.text(limit: 4096), data: $0.bytes(limit: fontLimit))
        }
        return (header, fonts)
    }

    // MARK: - Orders

    /// Orders as bytes.
    public static func put(_ orders: [ScriptOrder], to record: inout RecordWriter) {
        record.put(each: orders) { record, order in
            switch order {
            case .frame(let frame):
                record.put(UInt8(0))
                put(&record, frame)
            case .look(let look, let isScript):
                record.put(UInt8(1))
                put(&record, look)
                record.put(isScript)
            case .event(let event):
                record.put(UInt8(2))
                record.put(event.markup)
                record.put(Int32(truncatingIfNeeded: event.number))
                record.put(event.start.nanoseconds)
                record.put(event.end.nanoseconds)
            case .removeAll: record.put(UInt8(3))
            }
        }
    }

    /// The orders of a record.
    public static func orders(_ record: inout RecordReader) -> [ScriptOrder] {
        record.list(limit: mostOrders) { record in
            switch record.integer(in: UInt8(0)...3) {
            case 0: .frame(frame(&record))
            case 1: .look(look(&record), isScript: record.bool())
            case 2:
                .event(
                    ScriptEvent(
                        markup: record.text(limit: 4 * ASSText.markupLimit), number: Int(record.integer(Int32.self)),
                        start: MediaTime(nanoseconds: record.integer()), end: MediaTime(nanoseconds: record.integer())))
            default: .removeAll
            }
        }
    }

    private static func put(_ record: inout RecordWriter, _ size: PixelSize) {
        record.put(Int32(clamping: size.width))
        record.put(Int32(clamping: size.height))
    }

    private static func size(_ record: inout RecordReader) -> PixelSize {
        PixelSize(width: Int(record.integer(Int32.self)), height: Int(record.integer(Int32.self)))
    }

    private static func put(_ record: inout RecordWriter, _ frame: ScriptFrame) {
        put(&record, frame.size)
        record.put(frame.pixelAspect)
        record.put(frame.storage, put)
        record.put(frame.fontScale)
        record.put(frame.linePosition)
    }

    private static func frame(_ record: inout RecordReader) -> ScriptFrame {
        ScriptFrame(
            size: size(&record), pixelAspect: record.double(), storage: record.optional(size), fontScale: record.double(),
            linePosition: record.double())
    }

    private static func put(_ record: inout RecordWriter, _ look: SubtitleLook) {
        record.put(look.font) { $0.put($1) }
        for number in [look.size, look.border, look.margin] { record.put(number) { $0.put($1) } }
        for colour in [look.colour, look.borderColour] { record.put(colour) { $0.put($1) } }
        record.put(look.overridesScripts)
    }

    private static func look(_ record: inout RecordReader) -> SubtitleLook {
        var look = SubtitleLook()
        look.font = record.optional { $0.text(limit: 1024) }
        look.size = record.optional { $0.double() }
        look.border = record.optional { $0.double() }
        look.margin = record.optional { $0.double() }
        look.colour = record.optional { $0.integer() }
        look.borderColour = record.optional { $0.integer() }
        look.overridesScripts = record.bool()
        return look
    }

    // MARK: - Layers

    /// The answer to a wish to draw.
    public enum Drawn: Sendable, Equatable {
        /// Nothing, or something, is over the frame from now on.
        case layer(SubtitleLayer?)
        /// The layer of the answer before, which the player has.
        case same
    }

    /// An answer as bytes.
    public static func bytes(of drawn: Drawn) -> [UInt8] {
        var record = RecordWriter()
        switch drawn {
        case .layer(nil): record.put(UInt8(0))
        case .same: record.put(UInt8(1))
        case .layer(let layer?):
            record.put(UInt8(2))
            for number in [layer.x, layer.y, layer.image.width, layer.image.height] { record.put(Int32(clamping: number)) }
            layer.image.pixels.withUnsafeBytes { record.put($0) }
        }
        return record.bytes
    }

    /// The answer of a record, whose layer lies in a frame of this size; nil where it makes no sense.
    public static func drawn(_ bytes: [UInt8], within size: PixelSize) -> Drawn? {
        var record = RecordReader(bytes)
        switch record.integer(in: UInt8(0)...2) {
        case 0: return record.isWhole ? .layer(nil) : nil
        case 1: return record.isWhole ? .same : nil
        default: break
        }
        let (right, bottom) = (Int32(clamping: size.width), Int32(clamping: size.height))
        let x = record.integer(in: 0...right), y = record.integer(in: 0...bottom)
        let width = Int(record.integer(in: 0...right - x)), height = Int(record.integer(in: 0...bottom - y))
        let pixels = record.bytes(limit: 4 * width * height)
        guard record.isWhole, pixels.count == 4 * width * height else { return nil }
        let words = pixels.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        return .layer(SubtitleLayer(x: Int(x), y: Int(y), image: RasterImage(width: width, height: height, pixels: words)))
    }
}
