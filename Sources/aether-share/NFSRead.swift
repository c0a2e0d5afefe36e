#if canImport(CNFS)
    import CNFS
    import Glibc

    /// A read of a file on a server of NFS, in parts that are all under way at once: each one costs a round trip. All calls block; one thread.
    final class NFSRead {
        /// A part of it that is asked for.
        private final class Part {
            unowned let read: NFSRead
            let start, count: Int
            init(_ read: NFSRead, _ start: Int, _ count: Int) { (self.read, self.start, self.count) = (read, start, count) }
        }
        /// Servers of version 4 give no more than this at once, and libnfs asks for no less than it is told.
        static let most = 1 << 20

        private let context, file: OpaquePointer
        private let room: UnsafeMutableRawBufferPointer
        private let offset: UInt64
        /// The longest part: shorter from the first answer on that is shorter than what was asked for.
        private(set) var longest: Int
        private var underWay = 0, failure: Int32 = 0
        /// Where the file turned out to end.
        private var end: Int

        /// A read to some room; nothing is asked yet.
        init(
            _ context: OpaquePointer, _ file: OpaquePointer, _ room: UnsafeMutableRawBufferPointer, from offset: Int64,
            longest: Int
        ) {
            (self.context, self.file, self.room, self.offset) = (context, file, room, UInt64(offset))
            (self.longest, end) = (longest, room.count)
        }

        /// Reads; nil where the server gave not all of it: errno says why. Then the connection is of no use any more, and this object is to
        /// be kept: answers may still come.
        func run() -> Int? {
            var next = 0
            while next < room.count, failure == 0 {
                let count = min(longest, room.count - next)
                ask(next, count)
                next += count
            }
            while underWay > 0, failure == 0 { serve() }
            if failure != 0 { errno = failure }
            return failure == 0 ? end : nil
        }

        private func ask(_ start: Int, _ count: Int) {
            guard let place = room.baseAddress else { return }
            let part = Unmanaged.passRetained(Part(self, start, count)).toOpaque()
            let status = cnfs_pread_async(
                context, file, offset + UInt64(start), UInt64(count), place + start,
                { status, _, data, asked in
                    guard let asked else { return }
                    let part = Unmanaged<Part>.fromOpaque(asked).takeRetainedValue()
                    part.read.answered(part, status, data)
                }, part)
            if status == 0 {
                underWay += 1
            } else {
                Unmanaged<Part>.fromOpaque(part).release()
                failure = EIO
            }
        }

        private func answered(_ part: Part, _ status: Int32, _ data: UnsafeMutableRawPointer?) {
            underWay -= 1
            guard status >= 0 else {
                failure = failure == 0 ? -status : failure
                return
            }
            let count = min(Int(status), part.count)
            if cnfs_copies, let data, let place = room.baseAddress { memcpy(place + part.start, data, count) }
            if count == 0 { end = min(end, part.start) }
            // The rest of a part, and no longer one from now on.
            if count > 0, count < part.count {
                longest = min(longest, max(count, 4096))
                ask(part.start + count, part.count - count)
            }
        }

        /// Waits for the server, 15 s at most.
        private func serve() {
            var polled = pollfd(fd: nfs_get_fd(context), events: Int16(nfs_which_events(context)), revents: 0)
            let ready = poll(&polled, 1, 15_000)
            if ready < 0, errno == EINTR { return }
            guard ready > 0 else { return failure = ETIMEDOUT }
            if nfs_service(context, Int32(polled.revents)) < 0 { failure = EPIPE }
        }
    }
#endif
