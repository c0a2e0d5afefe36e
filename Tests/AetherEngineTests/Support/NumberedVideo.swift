import AetherCore
import AetherTestSupport

/// Films whose pictures say their own number: ten bits as black and white blocks, the lowest on the left, over noise, which makes each
/// picture so large that MPEG-PS gives it a time stamp of its own.
enum NumberedVideo {
    private static let blocks =
        "nullsrc=s=160x96:r=25:d=8,geq=lum='if(lt(Y\\,64)\\,235*mod(floor(N/pow(2\\,floor(X/16)))\\,2)\\,random(1)*235)':cb=128:cr=128,format=yuv420p"

    /// 200 pictures, 25 a second, a key frame every 2 s, with B-frames in between.
    static func clip(_ ext: String, codec: [String] = h264) throws -> String {
        try Fixtures.clip(["-f", "lavfi", "-i", blocks] + codec + ["-threads", "1"], ext: ext)
    }

    static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-g", "50", "-x264-params", "b-adapt=0:scenecut=0"]
    static let mpeg2 = ["-c:v", "mpeg2video", "-qscale:v", "2", "-bf", "2", "-g", "12", "-sc_threshold", "1000000000"]
    static let mpeg4 = ["-c:v", "mpeg4", "-qscale:v", "2", "-g", "25", "-sc_threshold", "1000000000"]

    /// Which picture this is.
    static func number(of image: RasterImage) -> Int {
        (0..<10).reduce(0) { number, bit in
            let pixel = image[(bit * 16 + 8) * image.width / 160, image.height / 3]
            return number | (Int(pixel >> 8 & 255) > 128 ? 1 << bit : 0)
        }
    }
}
