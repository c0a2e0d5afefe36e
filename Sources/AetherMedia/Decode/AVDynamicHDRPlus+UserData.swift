import CFFmpeg

extension AVDynamicHDRPlus {
    /// The largest message that is looked at. Real ones have 50 to 130 bytes; all that the syntax allows is below 1.5 kB.
    static let sizeLimit = 2048

    /// Reads the metadata of a scene (SMPTE ST 2094-40, application 4) out of a message of ITU-T T.35, as libavcodec does for HEVC only:
    /// of the first window, which is the whole frame. Bytes are hostile: nil for another vendor's message and for one that is cut off.
    init?(_ message: RegisteredUserData) {
        guard message.isHDR10Plus, message.payload.count <= AVDynamicHDRPlus.sizeLimit else { return nil }
        self.init()
        let isWhole = message.payload.dropFirst(5).withUnsafeBytes { bytes -> Bool in
            var bits = BitReader(bytes)
            return read(&bits) && !bits.isOverrun
        }
        if !isWhole { return nil }
    }

    private mutating func read(_ bits: inout BitReader) -> Bool {
        itu_t_t35_country_code = 0xB5
        application_version = UInt8(bits.read(8))
        let windows = bits.read(2)
        guard application_version <= 1, 1...3 ~= windows else { return false }
        // The shapes of the other windows: corners, ellipses, and how they lie over one another.
        bits.skip((windows - 1) * 153)
        num_windows = 1
        targeted_system_display_maximum_luminance = AVRational(num: Int32(bits.read(27)), den: 1)
        guard AVDynamicHDRPlus.skipPeaks(&bits) else { return false }
        for window in 0..<windows {
            let light = AVDynamicHDRPlus.light(&bits)
            if window == 0 { params.0 = light }
        }
        guard AVDynamicHDRPlus.skipPeaks(&bits) else { return false }
        params.0.readCurve(&bits)
        return true
    }

    /// A table of peaks over a display, 2 to 25 in each direction.
    private static func skipPeaks(_ bits: inout BitReader) -> Bool {
        guard bits.flag() else { return true }
        let (rows, columns) = (bits.read(5), bits.read(5))
        bits.skip(rows * columns * 4)
        return 2...25 ~= rows && 2...25 ~= columns
    }

    /// The brightness of a window, in shares of 10000 cd/m².
    private static func light(_ bits: inout BitReader) -> AVHDRPlusColorTransformParams {
        func share() -> AVRational { AVRational(num: Int32(bits.read(17)), den: 100_000) }
        var window = AVHDRPlusColorTransformParams()
        window.maxscl = (share(), share(), share())
        window.average_maxrgb = share()
        let count = bits.read(4)
        window.num_distribution_maxrgb_percentiles = UInt8(count)
        withUnsafeMutableBytes(of: &window.distribution_maxrgb) { raw in
            let all = raw.bindMemory(to: AVHDRPlusPercentile.self)
            for index in 0..<min(count, all.count) {
                let percentage = UInt8(bits.read(7))
                all[index] = AVHDRPlusPercentile(percentage: percentage, percentile: share())
            }
        }
        window.fraction_bright_pixels = AVRational(num: Int32(bits.read(10)), den: 1000)
        return window
    }
}

extension AVHDRPlusColorTransformParams {
    fileprivate mutating func readCurve(_ bits: inout BitReader) {
        tone_mapping_flag = bits.flag() ? 1 : 0
        guard tone_mapping_flag != 0 else { return }
        knee_point_x = AVRational(num: Int32(bits.read(12)), den: 4095)
        knee_point_y = AVRational(num: Int32(bits.read(12)), den: 4095)
        let count = bits.read(4)
        num_bezier_curve_anchors = UInt8(count)
        withUnsafeMutableBytes(of: &bezier_curve_anchors) { raw in
            let all = raw.bindMemory(to: AVRational.self)
            for index in 0..<min(count, all.count) { all[index] = AVRational(num: Int32(bits.read(10)), den: 1023) }
        }
    }
}
