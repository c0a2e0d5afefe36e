import CFFmpeg

extension DolbyVisionMapping {
    /// A frame's metadata as FFmpeg's decoder read it; nil without, or where it makes no sense.
    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_METADATA),
            data.pointee.size >= MemoryLayout<AVDOVIMetadata>.size
        else { return nil }
        let size = Int(data.pointee.size)
        let base = UnsafeRawPointer(data.pointee.data)
        guard let base else { return nil }
        let parts = base.loadUnaligned(as: AVDOVIMetadata.self)
        func part<Part>(_ type: Part.Type, at offset: Int) -> UnsafePointer<Part>? {
            guard offset > 0, offset <= size - MemoryLayout<Part>.size else { return nil }
            return (base + offset).assumingMemoryBound(to: Part.self)
        }
        guard let header = part(AVDOVIRpuDataHeader.self, at: parts.header_offset),
            let mapping = part(AVDOVIDataMapping.self, at: parts.mapping_offset),
            let colour = part(AVDOVIColorMetadata.self, at: parts.color_offset)
        else { return nil }
        self.init(header.pointee, mapping.pointee, colour.pointee)
    }

    private init?(_ header: AVDOVIRpuDataHeader, _ mapping: AVDOVIDataMapping, _ colour: AVDOVIColorMetadata) {
        guard 8...16 ~= header.bl_bit_depth, header.coef_log2_denom <= 62 else { return nil }
        let unit = 1 / Double(Int64(1) << Int64(header.coef_log2_denom))
        let range = Double(1 << Int(header.bl_bit_depth))
        guard let luma = Curve(mapping.curves.0, unit, range), let first = Curve(mapping.curves.1, unit, range),
            let second = Curve(mapping.curves.2, unit, range)
        else { return nil }
        func matrix(_ tuple: some Any) -> Matrix3? {
            let k = withUnsafeBytes(of: tuple) { $0.bindMemory(to: AVRational.self).map(av_q2d) }
            guard k.count == 9, k.allSatisfy({ $0.isFinite && abs($0) <= 65536 }) else { return nil }
            return Matrix3(SIMD3(k[0], k[1], k[2]), SIMD3(k[3], k[4], k[5]), SIMD3(k[6], k[7], k[8]))
        }
        let offset = colour.ycc_to_rgb_offset
        let zero = SIMD3(av_q2d(offset.0), av_q2d(offset.1), av_q2d(offset.2))
        guard let toCodes = matrix(colour.ycc_to_rgb_matrix), let toCones = matrix(colour.rgb_to_lms_matrix), zero.min() >= 0,
            zero.max() <= 16
        else { return nil }
        self.init(
            curves: (luma, first, second), toCodes: toCodes, zero: zero, toCones: toCones,
            peakCode: colour.source_max_pq > 0 ? min(Double(colour.source_max_pq) / 4095, 1) : nil)
    }
}

extension DolbyVisionMapping.Curve {
    fileprivate init?(_ curve: AVDOVIReshapingCurve, _ unit: Double, _ range: Double) {
        let count = Int(curve.num_pivots) - 1
        guard 1...8 ~= count else { return nil }
        let pivots = withUnsafeBytes(of: curve.pivots) {
            $0.bindMemory(to: UInt16.self).prefix(count + 1).map { Double($0) / range }
        }
        let pieces = withUnsafeBytes(of: curve.mapping_idc) { kinds in
            withUnsafeBytes(of: curve.poly_coef) { polynomials in
                withUnsafeBytes(of: curve.mmr_coef) { weights in
                    let kinds = kinds.bindMemory(to: AVDOVIMappingMethod.self)
                    let polynomials = polynomials.bindMemory(to: Int64.self), weights = weights.bindMemory(to: Int64.self)
                    return (0..<count).map { index in
                        if kinds[index] == AV_DOVI_MAPPING_POLYNOMIAL {
                            return DolbyVisionMapping.Piece(
                                polynomial: polynomials, index, order: Self.item(curve.poly_order, index), unit)
                        }
                        return DolbyVisionMapping.Piece(
                            mixed: weights, index, order: Self.item(curve.mmr_order, index),
                            constant: Self.constant(curve.mmr_constant, index), unit)
                    }
                }
            }
        }
        self.init(pivots: pivots, pieces: pieces)
    }

    private static func item(_ tuple: some Any, _ index: Int) -> Int {
        withUnsafeBytes(of: tuple) { Int($0.bindMemory(to: UInt8.self)[index]) }
    }

    private static func constant(_ tuple: some Any, _ index: Int) -> Int64 {
        withUnsafeBytes(of: tuple) { $0.bindMemory(to: Int64.self)[index] }
    }
}

extension DolbyVisionMapping.Piece {
    fileprivate init(polynomial k: UnsafeBufferPointer<Int64>, _ index: Int, order: Int, _ unit: Double) {
        func at(_ power: Int) -> Double { power <= order ? Double(k[index * 3 + power]) * unit : 0 }
        self = .polynomial(SIMD3(at(0), at(1), at(2)))
    }

    fileprivate init(mixed k: UnsafeBufferPointer<Int64>, _ index: Int, order: Int, constant: Int64, _ unit: Double) {
        let weights = (0..<min(max(order, 1), 3)).map { power in
            var sum = SIMD8<Double>.zero
            for product in 0..<7 { sum[product] = Double(k[(index * 3 + power) * 7 + product]) * unit }
            return sum
        }
        self = .mixed(constant: Double(constant) * unit, weights)
    }
}
