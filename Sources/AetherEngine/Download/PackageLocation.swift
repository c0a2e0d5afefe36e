import AetherCore
import AetherFormats
public import AetherSources

extension MediaLocation {
    /// The location to open for a folder that a download has made: its list of variants, or its one file. Every other location is returned
    /// as it is. Blocks as the file system does.
    public var inPackage: MediaLocation {
        guard case .file(let path) = self, DirectoryListing.isDirectory(path) else { return self }
        let whole = path.hasSuffix("/") ? path : path + "/"
        do throws(IOReaderError) {
            let folder = try PackageFolder(path, isExclusive: false)
            guard let bytes = try folder.read(PackageName.index, limit: PackageIndex.sizeLimit), let index = PackageIndex(bytes),
                folder.size(index.media) != nil
            else { return self }
            return .file(whole + index.media)
        } catch {
            return self
        }
    }
}
