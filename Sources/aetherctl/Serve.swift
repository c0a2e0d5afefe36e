import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherServe
import AetherSources
import ArgumentParser
import Glibc

/// Serves a source to other players.
struct Serve: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Serve any source as HLS to other players on this machine."),
            discussion: translated(
                """
                The address is printed; players open it with master.m3u8 behind it, browsers as it is. Video and audio are copied where HLS can \
                carry them, other audio is made into what --audio-bridge says, other video with --transcode into H.264. Serving goes on until Ctrl-C. A bare "aetherctl SOURCE" \
                serves, too. Exit status: 0 ended by Ctrl-C; 1 cannot listen, or the source broke; 2 cannot open, or nothing in it can be served.
                """))
    }

    @Option(help: .translated("The port to listen at; default: any that is free.", value: "number"))
    var port = 0

    @Flag(
        help: .translated(
            "Let others in the private network watch, too, by an address that cannot be guessed; it is shown as a QR code."))
    var lan = false

    @Option(
        help: .translated(
            "Convert audio that HLS clients cannot play to E-AC-3 or FLAC, or all audio to AAC for browsers.",
            form: "surroundCompat|lossless|aac"))
    var audioBridge = AudioBridge.surroundCompat

    @Flag(help: .translated("Encode video that HLS clients cannot play as H.264 (libx264)."))
    var transcode = false

    @Flag(help: .translated("Serve all qualities of HLS or DASH, and not one."))
    var variants = false

    @Flag(help: .translated("Open the page in a browser (xdg-open)."))
    var open = false

    @OptionGroup var choice: VariantArguments
    @OptionGroup var keys: KeyArguments
    @OptionGroup var disc: DiscArguments
    @OptionGroup var argument: SourceArgument

    func validate() throws {
        if !(0...65_535).contains(port) {
            throw ValidationError(translated("--port takes 1 to 65535, or 0 for any, for example --port 8200"))
        }
    }

    mutating func run() throws {
        // Before any thread of ours is there: they inherit that these are waited for.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var options = LoadOptions()
        options.open = argument.network.opening()
        options.open.keys = try keys.keys()
        options.http = argument.network.http(for: argument.source)
        (options.variantQualifiers, options.requiresVariant) = (try choice.qualifiers(), choice.require)
        (options.title, options.angle) = (disc.title, disc.angle)
        let location = MediaLocation.parse(argument.source).inPackage
        let wishes = ServedWishes(audio: audioBridge, transcodes: transcode, hasVariants: variants)
        let source = ServedSource(.location(location), name: location.displayName, wishes: wishes, options: options)
        defer { source.stop() }
        do throws(MediaError) {
            for notice in try source.waitUntilOpened() { printError("aetherctl: \(notice)") }
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        let server = try listen(source)
        defer {
            source.stop()
            server.stop()
        }
        show(server)
        // With its owner it ends: it is kept until serving is over.
        let page = open ? browser(server.address) : nil
        if open, page == nil { printError("aetherctl: " + translated("cannot start xdg-open; open the address by hand")) }
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        _ = consume page
    }

    private func listen(_ source: ServedSource) throws -> LoopbackServer {
        let network = PrivateAddress.all().first
        guard !lan || network != nil else {
            printError("aetherctl: " + translated("this machine has no address in a private network; serve without --lan"))
            throw ExitStatus.playbackFailed
        }
        do throws(LoopbackServer.Failure) {
            return try LoopbackServer(source, port: port, network: lan ? network : nil)
        } catch {
            printError("aetherctl: \(error)")
            throw ExitStatus.playbackFailed
        }
    }

    private func show(_ server: LoopbackServer) {
        printSafely(server.address)
        printSafely("\(server.address)master.m3u8")
        if lan, let code = QRCode(server.address) { print(code.text) }
        StandardOutput.flush()
    }

    private func browser(_ address: String) -> ChildProgram? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        guard let path = ChildProgram.find("xdg-open", in: folders) else { return nil }
        return ChildProgram(ChildProgram.Call(path: path, arguments: [address], outputLimit: 4096))
    }
}
