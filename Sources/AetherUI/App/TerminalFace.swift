import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import Glibc

/// The terminal as the app uses it: session, chrome and presenter, put up and taken down together. Lives on the main thread.
struct TerminalFace: ~Copyable {
    private let port: TTYPort
    private let session: TerminalSession
    private let presenter: Presenter
    private var screen: NcursesScreen
    private var panes: [Pane] = []
    private var subtitles: [SubtitleLine] = []
    private var inset: ChromeInset?
    private var isCurrent = false
    /// The theme of the chrome.
    var theme: Theme {
        didSet {
            isCurrent = isCurrent && theme == oldValue
            presenter.put(ground: ground)
        }
    }
    private var mood: FrameMood?
    private let capabilities: TerminalCapabilities
    private let choice: EncoderChoice
    /// The renderers that could draw, and the one that does.
    private let range: RendererRange
    private var outputs: RendererRange.Outputs
    private let link: LinkTraits
    private let modes: TerminalModes
    /// Mouse reports count pixels.
    let hasPixelMouse: Bool
    private(set) var size: TerminalSize
    /// The part of the screen that the frame lies in; nil: all of it.
    private var area: CellRect?
    private var announcer: TerminalAnnouncer

    /// Prepares everything; the screen is not touched yet.
    init(
        port: TTYPort, session: TerminalSession, presenter: Presenter, capabilities: TerminalCapabilities, choice: EncoderChoice,
        range: RendererRange, outputs: RendererRange.Outputs, link: LinkTraits, theme: Theme, usesMouse: Bool,
        announcer: TerminalAnnouncer
    ) throws(ChromeError) {
        self.port = port
        self.session = session
        self.presenter = presenter
        self.capabilities = capabilities
        self.choice = choice
        self.range = range
        self.outputs = outputs
        self.link = link
        let size = port.size().reporting(cell: capabilities.cellPixelSize, window: capabilities.windowPixelSize)
        // Pixels say nothing where the size of a cell is not known.
        hasPixelMouse = usesMouse && capabilities.sgrPixelMouse && size.cellPixels != nil
        modes = TerminalModes.screen.union(usesMouse ? .mouse : []).union(hasPixelMouse ? .pixelMouse : [])
            .union(capabilities.isTmux ? .focusReports : []).union(announcer.modes).union(
                capabilities.keyboardProtocol ? .keyboardProtocol : [])
        self.announcer = announcer
        self.theme = theme
        self.size = size
        screen = try NcursesScreen(size: size.cells)
        presenter.put(ground: ground)
    }

    /// Takes the screen over and starts the present thread.
    func open() throws(TerminalError) {
        session.partingBytes = outputs.full.partingBytes + announcer.partingBytes
        try session.enter(modes)
        presenter.start(outputs, depth: choice.depth, size: size, port: port, link: link)
    }

    /// The names of all that could draw the frame here, and of what does.
    var renderers: RendererOffer { RendererOffer(names: range.names, present: outputs.full.name) }

    /// Lets another renderer draw; false where the terminal cannot show it.
    mutating func turn(to name: String) -> Bool {
        guard let next = range.outputs(named: name) else { return false }
        do throws(TerminalError) {
            // Those of the former renderer, which clear the terminal's memory, are sent at the end, too.
            try session.add(parting: next.full.partingBytes)
        } catch {
            Log.module("present").warning("\(error)")
        }
        outputs = next
        let pixels = next.full.pixelsPerCell(cellPixels: size.cellPixels)
        presenter.change(
            to: next, layout: FramePlacement(size: size, pixelsPerCell: pixels, area: area), maximumRate: link.maximumRate)
        isCurrent = false
        return true
    }

    /// The colour behind transparent frames.
    var ground: UInt32 {
        theme.ground(over: capabilities.background.map { .rgb($0.red, $0.green, $0.blue) })
    }

    /// Takes an answer of the terminal while the video runs.
    func take(_ reply: TerminalReply) { presenter.take(reply) }

    /// Gives the screen back as it was found. Blocks for a quarter of a second at most. `text` becomes a desktop notification.
    func close(saying text: String? = nil) {
        presenter.stop()
        if let text { session.partingBytes += announcer.notification(text) }
        session.answersDue = presenter.questionsOpen
        session.leave()
    }

    /// Asks the terminal for its size again; returns whether it changed.
    mutating func followSize() -> Bool {
        let now = port.size().reporting(cell: capabilities.cellPixelSize, window: capabilities.windowPixelSize)
        guard now != size else { return false }
        size = now
        // Another size has another layout, too: the model says it next.
        area = nil
        tellSize()
        do throws(ChromeError) {
            try screen.resize(now.cells)
        } catch {
            Log.module("chrome").error("\(error)")
        }
        isCurrent = false
        return true
    }

    /// Puts the frame into a part of the screen, nil for all of it; returns whether that is another one.
    mutating func putCover(into wanted: CellRect?) -> Bool {
        guard wanted != area else { return false }
        area = wanted
        tellSize()
        isCurrent = false
        return true
    }

    private func tellSize() {
        let pixels = outputs.full.pixelsPerCell(cellPixels: size.cellPixels)
        presenter.resize(size, FramePlacement(size: size, pixelsPerCell: pixels, area: area))
    }

    /// Shows the model's chrome, if it looks different from before.
    mutating func draw(_ model: AppModel) {
        let wanted = ChromeView.panes(model)
        let lines = ChromeView.subtitles(model)
        followVideo(!wanted.isEmpty)
        let small = ChromeView.inset(model)
        let isSmallSame = small?.image.rect == inset?.image.rect && small?.number == inset?.number
        guard !isCurrent || wanted != panes || lines != subtitles || !isSmallSame else { return }
        (panes, subtitles, inset) = (wanted, lines, small)
        isCurrent = true
        ChromeView.draw(wanted, into: &screen)
        let palette = theme.following(mood).palette(hasColor: choice.depth != .mono)
        var overlay = screen.readBack(palette)
        var letters = palette[ThemeRole.subtitle.chromeRole]
        if let colour = model.snapshot.subtitleLook.colour, choice.depth != .mono {
            letters.foreground = .rgb(UInt8(colour >> 16 & 255), UInt8(colour >> 8 & 255), UInt8(colour & 255))
        }
        for line in lines { line.draw(letters, into: &overlay) }
        if capabilities.turnsWords { overlay.turnWords() }
        // The browser lets it through.
        if let small, small.isOverText { overlay.uncover(small.image.rect) }
        presenter.show(overlay, inset: small?.image)
    }

    /// Colours that go with the frame change only while something of them is seen.
    private mutating func followVideo(_ isSeen: Bool) {
        presenter.mood.isWatched = theme.followsVideo && isSeen
        guard presenter.mood.isWatched, let mood = presenter.mood.present, mood != self.mood else { return }
        self.mood = mood
        isCurrent = false
    }

    /// Says outside of the screen what plays and how far it is, where that has changed.
    mutating func announce(title: String, progress snapshot: EngineSnapshot) {
        let fraction = snapshot.duration.flatMap { duration in
            duration > .zero ? (snapshot.position - snapshot.startTime).seconds / duration.seconds : nil
        }
        let bytes = announcer.bytes(title: title, fraction: fraction, isPaused: !snapshot.wantsToPlay)
        if !bytes.isEmpty { presenter.say(bytes) }
    }

    /// The frame that is on screen; nil before the first.
    var lastShown: ShownFrame? { presenter.lastShown }

    /// Hands over the frame as it was drawn; see `Presenter.capture`.
    func capture(_ take: @escaping @Sendable (RasterImage?) -> Void) { presenter.capture(take) }

    /// The pane is hidden, or visible again.
    func hide(_ isHidden: Bool) { presenter.hide(isHidden) }

    /// Draws everything anew.
    func redraw() { presenter.redraw() }

    /// Ctrl-Z: the terminal belongs to the shell until `resume`.
    func suspend() {
        presenter.pause()
        session.answersDue = presenter.questionsOpen
        session.suspend()
    }

    /// The terminal is ours again.
    mutating func resume() {
        announcer.forget()
        do throws(TerminalError) {
            try session.resume()
        } catch {
            Log.module("terminal").error("\(error)")
        }
        presenter.resume()
    }
}
