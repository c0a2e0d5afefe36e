#if canImport(CNFS)
    import AetherSources
    import CNFS
    import Glibc

    /// A server of NFS that answers: its tree, or the export of it that an address lies in. Lives until the process ends. All calls block; one
    /// thread.
    struct NFSMount {
        let context: OpaquePointer
        /// The address' path below what is mounted, with a slash in front.
        let path: String
        private let address: ShareAddress

        /// The same connection for another address; nil where that may lie in another export.
        func leading(to other: ShareAddress) -> NFSMount? {
            let isTree = path == "/" + address.path
            return isTree && address.sharesConnection(with: other) ? NFSMount(context, other, "/" + other.path) : nil
        }

        private init(_ context: OpaquePointer, _ address: ShareAddress, _ path: String) {
            (self.context, self.address, self.path) = (context, address, path)
        }

        /// Version 4 shows all exports as one tree; with version 3 the server is asked for the export that the path lies in.
        init(_ address: ShareAddress) throws(ServerRefusal) {
            self.address = address
            let whole = "/" + address.path
            let refused: ServerRefusal
            switch Self.mount(address, "/", version: 4) {
            case .success(let context):
                (self.context, path) = (context, whole)
                return
            case .failure(let refusal): refused = refusal
            }
            let absence = HostCheck.failure(address.host, port: address.port ?? address.scheme.port)
            // A server of version 3 alone may listen elsewhere: its portmapper knows.
            let isElsewhere = absence == ECONNREFUSED && address.port == nil
            if absence != 0, !isElsewhere { throw ServerRefusal(errno: absence) }
            guard let (export, below) = Self.exports(of: address).export(of: whole) else {
                throw isElsewhere ? ServerRefusal(errno: absence) : refused
            }
            (context, path) = (try Self.mount(address, export, version: 3).get(), below)
        }

        /// The exports of a server of version 3; none where it tells none.
        static func exports(of address: ShareAddress) -> ExportTree {
            guard let list = mount_getexports(address.host) else { return ExportTree([]) }
            defer { mount_free_export_list(list) }
            var paths: [String] = [], next: UnsafeMutablePointer<exportnode>? = list
            while let node = next?.pointee, paths.count < 10_000 {
                if let path = node.ex_dir.flatMap({ String(validatingCString: $0) }) { paths.append(path) }
                next = node.ex_next
            }
            return ExportTree(paths)
        }

        private static func mount(_ address: ShareAddress, _ export: String, version: Int) -> Result<OpaquePointer, ServerRefusal>
        {
            guard let context = nfs_init_context() else { return .failure(ServerRefusal(.other, "no memory")) }
            // Version and port are set by an address alone.
            let port = address.port.map { "&nfsport=\($0)&mountport=\($0)" } ?? ""
            if let parsed = nfs_parse_url_incomplete(context, "nfs://server/?version=\(version)\(port)") {
                nfs_destroy_url(parsed)
            }
            // 15 s as with SMB; the player asks anew, at the same byte.
            nfs_set_timeout(context, 15_000)
            nfs_set_autoreconnect(context, 0)
            let status = nfs_mount(context, address.host, export)
            guard status < 0 else { return .success(context) }
            nfs_destroy_context(context)
            return .failure(refusal(-status))
        }

        /// NFS knows no passwords: a server that says no means this machine or this user.
        static func refusal(_ number: Int32) -> ServerRefusal {
            [EPERM, EACCES].contains(number) ? ServerRefusal(.forbidden) : ServerRefusal(errno: number)
        }
    }
#endif
