#if canImport(CNFS)
    import AetherSources
    import CNFS
    import Glibc

    /// A folder on a server of NFS.
    enum NFSFolder {
        /// Lists it: `say` takes the entries as they come. Blocks.
        static func list(_ address: ShareAddress, say: (ShareEntry) -> Void) throws(ServerRefusal) {
            let mount: NFSMount
            do throws(ServerRefusal) {
                mount = try NFSMount(address)
            } catch {
                // A server of version 3 has no tree above its exports: they are its folders.
                // A host that does not answer would be waited for twice.
                if [.noSuchHost, .timedOut, .unreachable].contains(error.kind) { throw error }
                let folders = NFSMount.exports(of: address).folders(in: "/" + address.path)
                if folders.isEmpty { throw error }
                for name in folders where ShareEntry.isName(name) { say(ShareEntry(name: name, isFolder: true)) }
                return
            }
            var folder: OpaquePointer?
            let status = nfs_opendir(mount.context, mount.path, &folder)
            guard status >= 0, let folder else { throw NFSMount.refusal(-status) }
            defer { nfs_closedir(mount.context, folder) }
            while let item = nfs_readdir(mount.context, folder)?.pointee {
                if let entry = entry(item, mount) { say(entry) }
            }
        }

        private static func entry(_ item: nfsdirent, _ mount: NFSMount) -> ShareEntry? {
            guard let name = item.name.flatMap({ String(validatingCString: $0) }), ShareEntry.isName(name) else { return nil }
            var mode = UInt64(item.mode), size = item.size, modified = item.mtime.tv_sec
            var kind = item.type
            // A link: what it leads to counts, and nothing where that is not there.
            if kind == UInt32(NF3LNK.rawValue) || kind == 0 {
                var facts = nfs_stat_64()
                let path = mount.path == "/" ? "/" + name : mount.path + "/" + name
                guard nfs_stat64(mount.context, path, &facts) >= 0 else { return nil }
                (mode, size, modified, kind) = (facts.nfs_mode, facts.nfs_size, Int(clamping: facts.nfs_mtime), 0)
            }
            let isFolder = kind == 0 ? mode & UInt64(Glibc.S_IFMT) == UInt64(Glibc.S_IFDIR) : kind == UInt32(NF3DIR.rawValue)
            return ShareEntry(
                name: name, isFolder: isFolder, size: min(size, UInt64(Int64.max)), modified: UInt64(max(0, modified)))
        }
    }
#endif
