import AetherMedia
import CBox
import Glibc

/// Memory that player and worker both write: a few places of one size. The player puts a frame into one of them, and what is made of it may lie in
/// another.
struct SharedPlaces {
    let places: [FrameStore.Place]
    /// Bytes of each place.
    let bytes: Int

    /// Of a descriptor, which stays the caller's. nil where that cannot be.
    init?(descriptor: Int32, bytes: Int, count: Int) {
        guard let store = FrameStore(descriptor: descriptor, placeBytes: bytes, count: count) else { return nil }
        places = (0..<count).compactMap { _ in store.take(0, copied: true) }
        guard places.count == count else { return nil }
        self.bytes = bytes
    }

    /// New memory with places for so many bytes, and the descriptor that leads to it, which is the caller's; nil where there is none for so many.
    static func make(bytes: Int, count: Int) -> (memory: SharedPlaces, descriptor: Int32)? {
        let page = Int(getpagesize()), whole = (bytes + page - 1) / page * page
        guard bytes > 0, bytes <= FrameRecord.largest else { return nil }
        let descriptor = box_sealed_memory(whole * count)
        guard descriptor >= 0 else { return nil }
        guard let memory = SharedPlaces(descriptor: descriptor, bytes: whole, count: count) else {
            close(descriptor)
            return nil
        }
        return (memory, descriptor)
    }
}
