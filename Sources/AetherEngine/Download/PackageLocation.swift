import AetherCore
import AetherFormats
public import AetherSources

extension MediaLocation {
    /// The folder below a directory that a download of this source goes into: the one that a former download of it has begun, else one that is
    /// not there yet, named by the title. Blocks as the file system does.
    public func packageFolder(titled title: String, in directory: String) -> String {
        let name = PackageName.package(title: title), stem = name.dropLast(6)
        let place = directory.isEmpty ? "" : directory + "/"
        var path = place + name
        // Titles such as "Episode 1" are of many sources; a hundred of one name are a mistake, which the download then tells.
        for number in 2...100 {
            guard DirectoryListing.isThere(path), !takes(package: path) else { break }
            path = "\(place)\(stem) \(number).aepkg"
        }
        return path
    }

    /// Whether a folder holds a package of this source, or one whose first run ended before it was described: nothing is in that yet.
    private func takes(package path: String) -> Bool {
        do throws(IOReaderError) {
            let folder = try PackageFolder(path, isExclusive: false)
            guard let bytes = try folder.read(PackageName.index, limit: PackageIndex.sizeLimit), let index = PackageIndex(bytes)
            else { return folder.holds(onlyOf: PackageName.first) }
            // Packages of old are described without what names the video.
            return [rememberedText, shownText].contains(index.source)
        } catch {
            return false
        }
    }

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
