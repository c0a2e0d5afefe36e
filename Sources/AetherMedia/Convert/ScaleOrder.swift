public import AetherCore
import CFFmpeg

/// The planes that libswscale shall make of a frame: their form, their size, and where the chroma samples of the source lie.
public struct ScaleOrder: Sendable, Equatable {
    /// Planes of one component each, all of the whole size, or packed pixels.
    enum Form: UInt8, Sendable, CaseIterable {
        case yuv = 0, deepYUV, yuva, deepYUVA, deepRGB, deepRGBA, packed

        /// libswscale's name.
        var format: AVPixelFormat {
            switch self {
            case .yuv: AV_PIX_FMT_YUV444P
            case .deepYUV: AV_PIX_FMT_YUV444P16LE
            case .yuva: AV_PIX_FMT_YUVA444P
            case .deepYUVA: AV_PIX_FMT_YUVA444P16LE
            case .deepRGB: AV_PIX_FMT_GBRP16LE
            case .deepRGBA: AV_PIX_FMT_GBRAP16LE
            case .packed: AV_PIX_FMT_RGBA
            }
        }

        /// 16 bits a sample.
        var isDeep: Bool { [.deepYUV, .deepYUVA, .deepRGB, .deepRGBA].contains(self) }

        /// The planes of luma or colours, and alpha.
        var planeCount: Int { self == .packed ? 1 : [.yuva, .deepYUVA, .deepRGBA].contains(self) ? 4 : 3 }

        /// Bytes from one pixel of a plane to the next.
        var unit: Int { self == .packed ? 4 : isDeep ? 2 : 1 }
    }

    /// Pixels of the planes, at most `RasterScaler.maximumSide` a side.
    public let size: PixelSize
    let form: Form
    let chromaSite: SwscaleStage.ChromaSite?

    init(_ form: Form, size: PixelSize, chromaSite: SwscaleStage.ChromaSite?) {
        (self.form, self.size, self.chromaSite) = (form, size, chromaSite)
    }

    /// The order of a record; nil where it is none.
    public init?(_ record: inout RecordReader) {
        let form = Form(rawValue: record.integer()), sides = UInt32(1)...UInt32(RasterScaler.maximumSide)
        size = PixelSize(width: Int(record.integer(in: sides)), height: Int(record.integer(in: sides)))
        let sites = Int32(-4096)...Int32(4096)
        chromaSite = record.optional {
            SwscaleStage.ChromaSite(x: Int($0.integer(in: sites)), y: Int($0.integer(in: sites)))
        }
        guard let form, !record.isBroken, size.width * size.height <= RasterScaler.maximumArea else { return nil }
        self.form = form
    }

    /// Writes it as a record.
    public func put(to record: inout RecordWriter) {
        record.put(form.rawValue)
        record.put(UInt32(clamping: size.width))
        record.put(UInt32(clamping: size.height))
        record.put(chromaSite) {
            $0.put(Int32(clamping: $1.x))
            $0.put(Int32(clamping: $1.y))
        }
    }

    /// Bytes of a row of pixels.
    var rowBytes: Int { size.width * form.unit }

    /// Bytes from one row to the next: vector code may write up to 64 bytes past a row.
    var stride: Int { (rowBytes + 127) & ~63 }

    /// Bytes from one plane to the next.
    var planeBytes: Int { stride * (size.height + 2) }

    /// Bytes of all planes, which lie one after the other.
    public var byteCount: Int { planeBytes * form.planeCount }
}
