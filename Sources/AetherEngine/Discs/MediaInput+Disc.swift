import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia
public import AetherSources
import Glibc

extension MediaInput {
    /// The chosen title of a disc where the bytes are an image of a DVD or a Blu-ray disc; else the input as it is. Blocks on the source.
    func onDisc(_ choice: DiscChoice, interrupt: Interrupt) throws(MediaError) -> MediaInput {
        guard case .reader(let reader, let name) = self, reader.isSeekable, !(reader is TitleReader), !(reader is CompactReader),
            !(reader is BluRayReader), choice.isLookedFor, reader.discImageProbeEnabled
        else { return self }
        interrupt.attach(reader)
        defer { interrupt.detach(reader) }
        do throws(DiscError) {
            if let disc = try DVD(image: reader) {
                return .reader(try disc.reader(title: choice.title, angle: choice.angle), name: name)
            }
            guard let disc = try BluRay(image: reader) else { return self }
            return .reader(try disc.reader(title: choice.title, angle: choice.angle), name: name)
        } catch {
            throw MediaError(error, name)
        }
    }

    /// The chosen title of a folder that holds a DVD or the files of a Blu-ray disc; nil for other files and folders. Blocks on the file system.
    static func discFolder(_ path: String, _ choice: DiscChoice) throws(MediaError) -> MediaInput? {
        let (folder, name) = LocalPlace.parts(of: path)
        if DiscLayout.isList(name) { return try disc(of: LocalPlace(list: name, in: folder).places, choice, name: path) }
        guard DirectoryListing.isDirectory(path) else { return nil }
        return try disc(of: LocalPlace(folder: path).places, choice, name: path)
    }

    /// The chosen title of the disc in the first of some folders that holds one; nil where none does. Blocks.
    private static func disc(of folders: [DiscFolder], _ choice: DiscChoice, name: String) throws(MediaError) -> MediaInput? {
        do throws(DiscError) {
            for folder in folders {
                if let disc = try DVD(folder) {
                    return .reader(try disc.reader(title: choice.title, angle: choice.angle), name: name)
                }
                if let disc = try BluRay(folder) {
                    return .reader(try disc.reader(title: choice.title, angle: choice.angle), name: name)
                }
            }
            return nil
        } catch {
            throw MediaError(error, name)
        }
    }

    /// The chosen title of a compact disc where a path leads to its sheet, or to an image with a sheet beside it; nil for other files. Blocks on
    /// the file system.
    static func discSheet(_ path: String, _ choice: DiscChoice) throws(MediaError) -> MediaInput? {
        let (folder, name) = LocalPlace.parts(of: path)
        return try sheet(name, in: DiscFolder(path: folder), choice, whole: path)
    }

    private static func sheet(
        _ name: String, in folder: DiscFolder, _ choice: DiscChoice, whole: String
    ) throws(MediaError) -> MediaInput? {
        do throws(DiscError) {
            guard let disc = try CompactDisc(name, in: folder) else { return nil }
            return .reader(try disc.reader(title: choice.title), name: whole)
        } catch {
            throw MediaError(error, whole)
        }
    }

    /// The chosen title of a disc whose files lie on a server, where an address names the list of its titles, a sheet, or an image beside one; nil for
    /// other addresses. Blocks on the server, or until the interrupt is raised.
    static func discOnServer(
        _ url: String, _ choice: DiscChoice, _ http: HTTPOptions, _ meter: NetworkMeter, _ interrupt: Interrupt
    ) throws(MediaError) -> MediaInput? {
        guard let place = ServerPlace(url) else { return nil }
        let server = try discServer(url, http, meter)
        let number = interrupt.watch { isRaised in
            if isRaised { server.cancel() } else { server.resume() }
        }
        defer {
            interrupt.unwatch(number)
            server.rest()
        }
        if interrupt.isRaised { server.cancel() }
        let folder = DiscFolder(place.folder(http), of: server)
        if place.isList { return try disc(of: [folder], choice, name: url) }
        return try sheet(place.name, in: folder, choice, whole: url)
    }

    private static func discServer(_ url: String, _ http: HTTPOptions, _ meter: NetworkMeter) throws(MediaError) -> DiscServer {
        let opening: DiscServer.Opening = { location throws(IOReaderError) in
            if case .url(let url) = location, HTTPReader.opens(url) { return try HTTPReader(url, options: http, meter: meter) }
            guard let reader = try location.serverReader(http) else { throw .network(NetworkFault(.invalidAddress)) }
            return reader
        }
        do throws(IOReaderError) {
            return DiscServer(opening, fetcher: ShareReader.opens(url) ? try ShareFetcher() : nil)
        } catch {
            throw MediaError(.url(url), error)
        }
    }
}

extension MediaInput {
    /// The chosen title of the disc in a drive; nil for paths that lead to no drive. Blocks until the drive knows its disc, or until the interrupt
    /// is raised.
    static func discDrive(_ path: String, _ choice: DiscChoice, _ interrupt: Interrupt) throws(MediaError) -> MediaInput? {
        guard let drive = OpticalDrive(path) else { return nil }
        let contents = try onDrive(path) { () throws(DriveFault) in try drive.contents() }
        if contents == .files, let title = try files(in: drive, choice, interrupt) { return title }
        let program = try onDrive(path) { () throws(DriveFault) in try DriveProgram.required() }
        return try compact(DriveReader(path: path, program: program), name: path, choice, interrupt)
    }

    private static func onDrive<Value>(_ path: String, _ body: () throws(DriveFault) -> Value) throws(MediaError) -> Value {
        do throws(DriveFault) {
            return try body()
        } catch {
            throw MediaError(.drive(error), path)
        }
    }

    /// The chosen title of a DVD or Blu-ray disc in a drive; nil for other discs.
    private static func files(
        in drive: OpticalDrive, _ choice: DiscChoice, _ interrupt: Interrupt
    ) throws(MediaError) -> MediaInput? {
        if drive.isProtected { throw MediaError(.disc(.encrypted), drive.path) }
        let reader: FileReader
        do throws(IOReaderError) {
            reader = try FileReader(path: drive.path)
        } catch {
            if case .posix(let number) = error { throw MediaError(.drive(OpticalDrive.fault(number, drive.path)), drive.path) }
            throw MediaError(.bytes(error), drive.path)
        }
        var choice = choice
        choice.isLookedFor = true
        let input = try MediaInput.reader(reader, name: drive.path).onDisc(choice, interrupt: interrupt)
        if case .reader(let found, _) = input, found is TitleReader || found is BluRayReader { return input }
        reader.close()
        return nil
    }

    /// The chosen title of a compact disc in a drive.
    static func compact(
        _ reader: DriveReader, name: String, _ choice: DiscChoice, _ interrupt: Interrupt
    ) throws(MediaError) -> MediaInput {
        interrupt.attach(reader)
        defer {
            interrupt.detach(reader)
            reader.resume()
        }
        do throws(DiscError) {
            return .reader(try CompactDisc(drive: reader).reader(title: choice.title), name: name)
        } catch {
            reader.close()
            throw MediaError(error, name)
        }
    }
}

extension MediaError {
    /// The reason why a disc cannot be opened.
    init(_ error: DiscError, _ name: String) {
        switch error {
        case .bytes(.cancelled): self.init(.interrupted, "open", subject: name)
        case .bytes(.posix(let number)):
            self.init(.cannotOpen, "open", subject: name, cause: -number, reason: error.reason)
        // A refused login is one, so that the person is asked for a password.
        case .bytes(let error): self.init(.url(name), error)
        case .drive(.forbidden): self.init(.cannotOpen, "open", subject: name, cause: -EACCES, reason: error.reason)
        case .drive: self.init(.cannotOpen, "open", subject: name, reason: error.reason)
        // Whoever plays lists goes on with it.
        case .compact(.list): self.init(.notMedia, "play", subject: name, reason: error.reason)
        case .disc(.encrypted), .disc(.noTitle), .compact(.noTitle), .compact(.filesOnly), .compact(.format):
            self.init(.unsupported, "play", subject: name, reason: error.reason)
        case .disc, .compact: self.init(.cannotOpen, "play", subject: name, reason: error.reason)
        }
    }
}

extension MediaLocation {
    /// Whether it is a folder that is played as a disc and not file by file. Blocks as the file system does.
    public var isDiscFolder: Bool {
        guard case .file(let path) = self, DirectoryListing.isDirectory(path) else { return false }
        return DVD.isThere(DiscFolder(path: path)) || BluRay.isThere(DiscFolder(path: path))
    }

    /// Whether it is the sheet of a compact disc's image, or an image with its sheet beside it. Blocks as the file system does.
    public var isDiscSheet: Bool {
        guard case .file(let path) = self else { return false }
        let (folder, name) = LocalPlace.parts(of: path)
        return CompactDisc.isThere(name, in: DiscFolder(path: folder))
    }
}
