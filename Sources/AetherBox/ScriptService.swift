import AetherCore
import AetherMedia

/// The side of a worker that draws a script.
struct ScriptService: ~Copyable {
    private var renderer: ASSRenderer
    /// The player has it.
    private var last: SubtitleLayer?

    /// Opens the script that a wish describes.
    init(_ wish: [UInt8]) throws(MediaError) {
        var record = RecordReader(wish)
        let (header, fonts) = ScriptRecord.script(&record)
        guard record.isWhole else { throw MediaError(.internalFailure, "open script") }
        renderer = try ASSRenderer(header: header, fonts: fonts, box: nil)
    }

    /// Draws what a wish orders. Throws `.internalFailure` for another wish.
    mutating func draw(_ wish: BoxMessage) throws(MediaError) -> BoxMessage {
        var record = RecordReader(wish.bytes)
        let time = MediaTime(nanoseconds: record.integer()), orders = ScriptRecord.orders(&record)
        guard wish.kind == .drawScript, record.isWhole else { throw MediaError(.internalFailure, "draw script") }
        for order in orders { renderer.take(order) }
        let layer = renderer.layer(at: time)
        // Of the same pixels in the same memory this is known at once.
        if layer == last { return BoxMessage(.value, ScriptRecord.bytes(of: .same)) }
        last = layer
        return BoxMessage(.value, ScriptRecord.bytes(of: .layer(layer)))
    }
}
