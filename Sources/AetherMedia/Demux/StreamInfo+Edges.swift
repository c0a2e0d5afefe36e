import AetherCore
import CFFmpeg
import Glibc

extension StreamInfo {
    /// Takes the container's word on what is not shown, which libavformat does not hand on. `display` is the shape of what is left, where the
    /// container states it. Nothing changes where nothing would be left.
    ///
    /// mkvmerge states the shape of all that is stored instead, unless told otherwise: of both readings the one with the squarer pixels holds.
    public mutating func cut(_ edges: FrameEdges, display: (width: Int, height: Int)?) {
        let sides = [edges.left, edges.top, edges.right, edges.bottom]
        guard let size, sides.allSatisfy({ 0...size.width + size.height ~= $0 }) else { return }
        let left = PixelSize(width: size.width - edges.left - edges.right, height: size.height - edges.top - edges.bottom)
        guard left.width > 0, left.height > 0 else { return }
        self.size = left
        parameters = CodecParameters(
            copying: parameters.pointer, timeBase: parameters.timeBase, hasAlphaBeside: parameters.hasAlphaBeside,
            x264Version: parameters.x264Version, edges: edges, sideData: parameters.sideData,
            box: parameters.box)
        guard let display else { return }
        var aspect = AVRational()
        av_reduce(
            &aspect.num, &aspect.den, Int64(display.width) * Int64(left.height), Int64(display.height) * Int64(left.width),
            1 << 16)
        guard let ofRest = Ratio(aspect), ofRest.isSane, abs(log(ofRest.value)) < abs(log(sampleAspect.value)) else { return }
        sampleAspect = ofRest
    }
}
