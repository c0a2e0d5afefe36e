import AetherCore
import CAss
import Glibc

/// A renderer of libass in this process. As `ASSRenderer`. Owns the library, a renderer and one track; what a script can ask for is bounded here.
struct LibassRenderer: ~Copyable {
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private let track: UnsafeMutablePointer<ASS_Track>
    private var eventCount = 0
    private var loads: [Load] = []
    private var size = PixelSize(width: 0, height: 0)
    private var layer: SubtitleLayer?
    private let limits: ASSLimits

    /// The cost of an event while it stands.
    private struct Load {
        let span: Range<MediaTime>
        let letters: Int
        let area: Double
    }

    /// Letters that stand at once: a page of the smallest has 5000. 80 000 that turn took 1.5 GB.
    private static let letterLimit = 10_000
    /// The area that they may cover, in squares as high as the frame.
    private static let areaLimit = 128.0

    /// A renderer for a script of this header. Throws `.internalFailure` without memory.
    init(header: String, fonts: [FontAttachment]) throws(MediaError) {
        guard let library = ass_library_init() else { throw MediaError(.internalFailure, "start libass") }
        aether_ass_be_quiet(library)
        ass_set_extract_fonts(library, 1)
        for font in fonts {
            font.data.withUnsafeBytes { bytes in
                // libass takes a copy; the name is a label.
                ass_add_font(library, font.filename, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
        }
        guard let renderer = ass_renderer_init(library), let track = ass_new_track(library) else {
            ass_library_done(library)
            throw MediaError(.internalFailure, "start libass")
        }
        ass_set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
        // 32 MB of bitmaps: a page of karaoke at 1200x675.
        ass_set_cache_limits(renderer, 2000, 32)
        var text = Array(header.utf8.prefix(1 << 20)).map { CChar(bitPattern: $0) }
        ass_process_codec_private(track, &text, Int32(text.count))
        limits = Self.limits(track)
        self.library = library
        self.renderer = renderer
        self.track = track
        MediaBalance.contexts.add()
    }

    deinit {
        ass_free_track(track)
        ass_renderer_done(renderer)
        ass_library_done(library)
        MediaBalance.contexts.add(-1)
    }

    /// Bounds the styles of a track and says what its events may ask for.
    private static func limits(_ track: UnsafeMutablePointer<ASS_Track>) -> ASSLimits {
        let canvas = Double(track.pointee.PlayResY > 0 ? track.pointee.PlayResY : 288)
        func bounded(_ value: Double, _ limit: Double) -> Double { value.isFinite ? min(max(value, -limit), limit) : 0 }
        var heights: [String: Double] = [:]
        for index in 0..<Int(max(0, track.pointee.n_styles)) {
            guard let style = track.pointee.styles?.advanced(by: index) else { break }
            // As in events: letters twice as high as the frame, ten times as wide; edges of a fifth of it.
            style.pointee.FontSize = bounded(style.pointee.FontSize, 2 * canvas)
            style.pointee.ScaleX = bounded(style.pointee.ScaleX, 10)
            style.pointee.ScaleY = bounded(style.pointee.ScaleY, 10)
            style.pointee.Outline = bounded(style.pointee.Outline, canvas / 5)
            style.pointee.Shadow = bounded(style.pointee.Shadow, canvas)
            style.pointee.Blur = bounded(style.pointee.Blur, 40)
            let stretch = max(abs(style.pointee.ScaleX), abs(style.pointee.ScaleY), 1)
            let height = (abs(style.pointee.FontSize) * stretch + 2 * abs(style.pointee.Outline)) / canvas
            if let name = style.pointee.Name {
                heights[String(decoding: UnsafeRawBufferPointer(start: name, count: strnlen(name, 400)), as: UTF8.self)] = height
            }
        }
        return ASSLimits(letterHeights: heights, canvasHeight: canvas)
    }

    /// The frame that is drawn onto.
    mutating func setFrame(_ frame: ScriptFrame) {
        guard frame.isDrawable else { return }
        size = frame.size
        ass_set_frame_size(renderer, Int32(size.width), Int32(size.height))
        let stored = frame.storage ?? size
        ass_set_storage_size(renderer, Int32(clamping: stored.width), Int32(clamping: stored.height))
        ass_set_pixel_aspect(renderer, frame.pixelAspect.isFinite && frame.pixelAspect > 0 ? frame.pixelAspect : 1)
        ass_set_font_scale(renderer, min(max(frame.fontScale, 0.25), 4))
        ass_set_line_position(renderer, min(max(frame.linePosition, 0), 100))
    }

    /// The script's own styles count from now on.
    func keepStyles() { ass_set_selective_style_override_enabled(renderer, 0) }

    /// Puts parts of a style in the place of the script's. libass takes a copy, and reads the name of the font whatever the parts are.
    func overrideStyle(_ style: ASS_Style, _ parts: [ASS_OverrideBits]) {
        var style = style
        ass_set_selective_style_override(renderer, &style)
        ass_set_selective_style_override_enabled(renderer, Int32(bitPattern: parts.reduce(0) { $0 | $1.rawValue }))
    }

    /// Adds an event; one that is known is not added twice.
    mutating func add(_ event: ScriptEvent) {
        guard eventCount < ASSRenderer.eventLimit else { return }
        eventCount += 1
        let bounded = limits.bounded(event.markup), start = event.start
        guard hasRoom(for: bounded, start..<max(start, event.end)) else { return }
        var text = Array("\(Int32(truncatingIfNeeded: event.number)),\(bounded.markup)".utf8).map { CChar(bitPattern: $0) }
        ass_process_chunk(
            track, &text, Int32(text.count), start.nanoseconds / 1_000_000, max(0, (event.end - start).nanoseconds / 1_000_000))
    }

    /// Most stands at once where an event begins: one that is too much there is left out.
    private mutating func hasRoom(for event: ASSLimits.Bounded, _ span: Range<MediaTime>) -> Bool {
        var (letters, area) = (event.letters, event.area)
        for load in loads where load.span.contains(span.lowerBound) {
            letters += load.letters
            area += load.area
        }
        guard letters <= Self.letterLimit, area <= Self.areaLimit else { return false }
        loads.append(Load(span: span, letters: event.letters, area: event.area))
        return true
    }

    /// Forgets all events.
    mutating func removeAll() {
        ass_flush_events(track)
        eventCount = 0
        loads = []
    }

    /// The layer over the frame at a time; nil for none. The same value as before where nothing has changed.
    mutating func layer(at time: MediaTime) -> SubtitleLayer? {
        guard size.width > 0 else { return nil }
        var change: Int32 = 0
        let images = ass_render_frame(renderer, track, time.nanoseconds / 1_000_000, &change)
        if change != 0 { layer = images.flatMap { Self.composed($0, within: size) } }
        return layer
    }

    // MARK: - Composing

    /// libass gives one-coloured masks; they become one patch as large as all of them.
    private static func composed(_ first: UnsafeMutablePointer<ASS_Image>, within size: PixelSize) -> SubtitleLayer? {
        var left = Int.max, top = Int.max, right = 0, bottom = 0
        var next: UnsafeMutablePointer<ASS_Image>? = first
        while let image = next {
            next = image.pointee.next
            guard image.pointee.w > 0, image.pointee.h > 0, image.pointee.color & 255 != 255 else { continue }
            left = min(left, max(0, Int(image.pointee.dst_x)))
            top = min(top, max(0, Int(image.pointee.dst_y)))
            right = max(right, min(size.width, Int(image.pointee.dst_x) + Int(image.pointee.w)))
            bottom = max(bottom, min(size.height, Int(image.pointee.dst_y) + Int(image.pointee.h)))
        }
        guard left < right, top < bottom else { return nil }
        var patch = RasterImage(width: right - left, height: bottom - top, fill: 0)
        patch.pixels.withUnsafeMutableBufferPointer { pixels in
            next = first
            while let image = next {
                next = image.pointee.next
                paint(image.pointee, onto: pixels, width: right - left, height: bottom - top, x: left, y: top)
            }
        }
        return SubtitleLayer(x: left, y: top, image: patch)
    }

    private static func paint(
        _ image: ASS_Image, onto pixels: UnsafeMutableBufferPointer<UInt32>, width: Int, height: Int, x: Int, y: Int
    ) {
        guard image.w > 0, image.h > 0, let mask = image.bitmap else { return }
        let opacity = 255 - image.color & 255
        guard opacity > 0 else { return }
        let (red, green, blue) = (image.color >> 24, image.color >> 16 & 255, image.color >> 8 & 255)
        let table = (0...255).map { (cover: UInt32) -> UInt32 in
            let alpha = (cover * opacity + 127) / 255
            func part(_ value: UInt32) -> UInt32 { (value * alpha + 127) / 255 }
            return alpha << 24 | part(blue) << 16 | part(green) << 8 | part(red)
        }
        let columns =
            max(0, x - Int(image.dst_x))..<max(max(0, x - Int(image.dst_x)), min(Int(image.w), x + width - Int(image.dst_x)))
        guard !columns.isEmpty else { return }
        table.withUnsafeBufferPointer { table in
            for row in 0..<Int(image.h) {
                let line = Int(image.dst_y) + row - y
                guard line >= 0, line < height else { continue }
                let source = mask + row * Int(image.stride)
                let target = line * width + Int(image.dst_x) - x
                for column in columns where source[column] != 0 {
                    pixels[target + column] = SubtitleLayer.over(table[Int(source[column])], pixels[target + column])
                }
            }
        }
    }
}
