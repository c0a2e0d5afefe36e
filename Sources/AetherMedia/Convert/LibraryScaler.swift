import AetherCore
import CFFmpeg

/// libswscale in a box, or in this process where there is none. Owned by one thread.
struct LibraryScaler: ~Copyable {
    private let place: (any DecodingPlace)?
    private var isDecided = false
    private var boxed: (any BoxedScaling)?
    private var stage = SwscaleStage()

    /// `place`: where it works, if that is a box for scalers.
    init(_ place: (any DecodingPlace)?) { self.place = place }

    /// Scales a frame. Returns where its planes lie, as the order says, until the next call. Throws as `PlaneScaler`.
    mutating func scale(_ frame: borrowing DecodedFrame, _ order: ScaleOrder) throws(MediaError) -> UnsafePointer<UInt8> {
        if !isDecided {
            boxed = (place as? any ScalingBox)?.openScaler()
            isDecided = true
        }
        guard let boxed else { return try stage.scale(UnsafePointer(frame.pointer), order) }
        let planes = try boxed.planes(of: frame, order)
        guard planes.count >= order.byteCount, let start = planes.baseAddress else {
            throw MediaError(.internalFailure, "scale frame")
        }
        return start.assumingMemoryBound(to: UInt8.self)
    }
}
