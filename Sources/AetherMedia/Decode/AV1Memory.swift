import CDav1d
import CFFmpeg
import Glibc

/// The memory that libdav1d decodes into where a box has some to share: as its own allocator lays frames out.
enum AV1Memory {
    /// Private memory, for the time that no place is free.
    private final class Block {
        let start: UnsafeMutableRawPointer

        init?(_ bytes: Int) {
            var start: UnsafeMutableRawPointer?
            guard posix_memalign(&start, alignment, bytes) == 0, let start else { return nil }
            self.start = start
        }

        deinit { free(start) }
    }

    private static let alignment = 64

    /// Makes a decoder that is not open yet take its frames from a room, which must live as long as the decoder.
    static func serve(_ settings: inout Dav1dSettings, from room: FrameRoom) {
        settings.allocator.cookie = Unmanaged.passUnretained(room).toOpaque()
        settings.allocator.alloc_picture_callback = { picture, cookie in
            guard let picture, let cookie else { return aether_dav1d_error(EINVAL) }
            return AV1Memory.fill(picture, Unmanaged<FrameRoom>.fromOpaque(cookie).takeUnretainedValue())
        }
        settings.allocator.release_picture_callback = { picture, _ in
            if let held = picture?.pointee.allocator_data { Unmanaged<AnyObject>.fromOpaque(held).release() }
        }
    }

    /// Rows and columns in multiples of 128, as libdav1d writes them, and rows that do not lie on the same lines of the cache.
    private static func fill(_ picture: UnsafeMutablePointer<Dav1dPicture>, _ room: FrameRoom) -> Int32 {
        let facts = picture.pointee.p, layout = facts.layout
        let width = (Int(facts.w) + 127) & ~127, height = (Int(facts.h) + 127) & ~127
        let isWide = facts.bpc > 8, hasColour = layout != DAV1D_PIXEL_LAYOUT_I400
        var luma = isWide ? width * 2 : width
        var chroma = !hasColour ? 0 : layout == DAV1D_PIXEL_LAYOUT_I444 ? luma : luma / 2
        if luma & 1023 == 0 { luma += alignment }
        if hasColour, chroma & 1023 == 0 { chroma += alignment }
        let lumaBytes = luma * height, chromaBytes = chroma * (layout == DAV1D_PIXEL_LAYOUT_I420 ? height / 2 : height)
        let bytes = lumaBytes + 2 * chromaBytes + alignment
        let start: UnsafeMutableRawPointer
        if let place = room.place(bytes), let memory = place.memory.baseAddress {
            start = memory
            picture.pointee.allocator_data = Unmanaged<AnyObject>.passRetained(place).toOpaque()
        } else if let block = Block(bytes) {
            start = block.start
            picture.pointee.allocator_data = Unmanaged<AnyObject>.passRetained(block).toOpaque()
        } else {
            return aether_dav1d_error(ENOMEM)
        }
        picture.pointee.data.0 = start
        picture.pointee.data.1 = hasColour ? start + lumaBytes : nil
        picture.pointee.data.2 = hasColour ? start + lumaBytes + chromaBytes : nil
        picture.pointee.stride = (luma, chroma)
        return 0
    }
}
