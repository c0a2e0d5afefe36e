#if canImport(CNFS)
    import AetherSources
    import CNFS
    import Glibc

    /// A file that is open on a server of NFS.
    struct NFSFile: ServerFile {
        private let context, handle: OpaquePointer
        let size, modified: UInt64
        private var longest = NFSRead.most
        /// The read with which the connection came to its end.
        private var failed: NFSRead?

        /// Opens it.
        init(_ mount: NFSMount) throws(ServerRefusal) {
            var handle: OpaquePointer?
            let status = nfs_open(mount.context, mount.path, O_RDONLY, &handle)
            guard status >= 0, let handle else { throw NFSMount.refusal(-status) }
            var facts = nfs_stat_64()
            let known = nfs_fstat64(mount.context, handle, &facts)
            guard known >= 0 else { throw NFSMount.refusal(-known) }
            guard facts.nfs_mode & UInt64(Glibc.S_IFMT) == UInt64(Glibc.S_IFREG) else { throw ServerRefusal(errno: EISDIR) }
            (context, self.handle) = (mount.context, handle)
            (size, modified) = (min(facts.nfs_size, UInt64(Int64.max)), facts.nfs_mtime)
        }

        func close() {
            // A read that was given up may still answer into it: such a connection is not used again.
            if failed == nil { nfs_close(context, handle) }
        }

        mutating func fill(_ room: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int? {
            guard failed == nil else {
                errno = EPIPE
                return nil
            }
            let read = NFSRead(context, handle, room, from: offset, longest: longest)
            let count = read.run()
            longest = read.longest
            if count == nil { failed = read }
            return count
        }
    }
#endif
