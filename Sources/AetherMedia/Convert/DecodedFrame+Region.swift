import AetherCore
import CFFmpeg

extension DecodedFrame {
    /// A part of the frame in the same memory. Its left and upper edge move to whole samples of chroma. nil where the format cannot be
    /// cut (bitstreams, memory of other devices) or nothing would be left.
    func part(_ region: FrameRegion) -> DecodedFrame? {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(pointer.pointee.format))?.pointee,
            descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL) == 0,
            let copy = av_frame_clone(pointer)
        else { return nil }
        let (stepX, stepY) = (1 << Int(descriptor.log2_chroma_w), 1 << Int(descriptor.log2_chroma_h))
        let left = min(max(region.x, 0), width - 1) / stepX * stepX, top = min(max(region.y, 0), height - 1) / stepY * stepY
        let right = max(width - region.x - region.width, 0), bottom = max(height - region.y - region.height, 0)
        copy.pointee.crop_left = left
        copy.pointee.crop_top = top
        copy.pointee.crop_right = min(right, width - left - 1)
        copy.pointee.crop_bottom = min(bottom, height - top - 1)
        guard av_frame_apply_cropping(copy, Int32(AV_FRAME_CROP_UNALIGNED)) >= 0 else {
            var owned: UnsafeMutablePointer<AVFrame>? = copy
            av_frame_free(&owned)
            return nil
        }
        return DecodedFrame(taking: copy, pts: pts, duration: duration, userData: userData)
    }

    /// The part without the edges, which are counted in a frame of `full` size. nil as `part`.
    func part(without edges: FrameEdges, of full: PixelSize) -> DecodedFrame? {
        // A decoder may give half the size.
        func across(_ count: Int) -> Int { count * width / max(1, full.width) }
        func down(_ count: Int) -> Int { count * height / max(1, full.height) }
        let (left, top) = (across(edges.left), down(edges.top))
        let (columns, rows) = (width - left - across(edges.right), height - top - down(edges.bottom))
        guard columns > 0, rows > 0 else { return nil }
        return part(FrameRegion(x: left, y: top, width: columns, height: rows))
    }
}
