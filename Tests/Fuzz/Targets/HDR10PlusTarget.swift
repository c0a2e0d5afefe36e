import CFFmpeg

@testable import AetherMedia

/// HDR10+'s scenes: the bytes behind what names them.
func fuzzHDR10Plus(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes: [UInt8] = [0x00, 0x3C, 0x00, 0x01, 0x04] + Array(input)
    if let scene = AVDynamicHDRPlus(RegisteredUserData(country: 0xB5, payload: bytes)) {
        precondition(scene.params.0.num_bezier_curve_anchors <= 15 && scene.num_windows == 1)
    }
}
