public import AetherCore

/// The facts of a machine, before anything is said about them. Texts are kept as they were found.
public struct MachineFacts: Sendable {
    /// The terminal's side.
    public enum Terminal: Sendable, Equatable {
        /// There is none, for this reason.
        case none(String)
        /// There is one.
        case there(TerminalFacts)
    }

    /// A terminal that was asked.
    public struct TerminalFacts: Sendable, Equatable {
        /// Its name and version; "" for unknown.
        public var name: String
        /// TERM.
        public var term: String
        /// Its size in cells.
        public var columns, rows: Int
        /// Whether it answered anything, and how long that took or was waited for.
        public var answered: Bool
        /// See `answered`.
        public var waited: TimeSpan
        /// The renderer and the colours that the player would choose; nil for plain lines.
        public var renderer, colours: String?
        /// Whether it takes UTF-8.
        public var utf8: Bool

        /// A terminal.
        public init(
            name: String, term: String, columns: Int, rows: Int, answered: Bool, waited: TimeSpan, renderer: String?,
            colours: String?, utf8: Bool
        ) {
            (self.name, self.term, self.columns, self.rows) = (name, term, columns, rows)
            (self.answered, self.waited, self.utf8) = (answered, waited, utf8)
            (self.renderer, self.colours) = (renderer, colours)
        }
    }

    /// The way to the speaker.
    public struct Audio: Sendable, Equatable {
        /// The format in which ALSA's `default` opened; nil where it did not.
        public var format: String?
        /// Why it did not.
        public var failure: String?
        /// The sound server that seems to run, such as "PipeWire"; nil for none.
        public var server: String?
        /// The plugins of ALSA that lead to a sound server, such as "pulse".
        public var plugins: [String]
        /// Whether the kernel knows a card.
        public var hasCard: Bool
        /// Whether the person may open the card's device files; true where there is none.
        public var mayUseCard: Bool

        /// The way to the speaker.
        public init(
            format: String? = nil, failure: String? = nil, server: String? = nil, plugins: [String] = [], hasCard: Bool = false,
            mayUseCard: Bool = true
        ) {
            (self.format, self.failure, self.server) = (format, failure, server)
            (self.plugins, self.hasCard, self.mayUseCard) = (plugins, hasCard, mayUseCard)
        }
    }

    /// A helper that may be started.
    public struct Program: Sendable, Equatable {
        /// Where it lies; nil where it is not on PATH.
        public var path: String?
        /// The version that it states; nil where it does not run.
        public var version: String?

        /// A helper.
        public init(path: String? = nil, version: String? = nil) { (self.path, self.version) = (path, version) }
    }

    /// The kernel's features for confining a process.
    public struct Kernel: Sendable, Equatable {
        /// The version of Landlock's interface; 0 for none.
        public var landlock: Int
        /// Whether seccomp can end a process, and whether no_new_privs is known.
        public var seccomp, noNewPrivileges: Bool

        /// A kernel.
        public init(landlock: Int, seccomp: Bool, noNewPrivileges: Bool) {
            (self.landlock, self.seccomp, self.noNewPrivileges) = (landlock, seccomp, noNewPrivileges)
        }
    }

    /// The program in which media is decoded apart from the player.
    public enum Box: Sendable, Equatable {
        /// It runs, and these parts of its box hold.
        case holds([String])
        /// The reason why it does not run.
        case fails(String)
    }

    /// A folder of ours.
    public struct Folder: Sendable, Equatable {
        /// The state of the folder's path.
        public enum Place: Sendable, Equatable {
            /// There is no home, so no path.
            case homeless
            /// Nothing yet; whether it could be made.
            case absent(canBeMade: Bool)
            /// Something else than a folder.
            case occupied
            /// A folder: its permissions, whether it is the person's, whether files can be made in it.
            case there(mode: UInt32, isOwn: Bool, isWritable: Bool)
        }

        /// The files that the folder is for.
        public var use: String
        /// Where it is.
        public var path: String
        /// The state of the path.
        public var place: Place

        /// A folder.
        public init(use: String, path: String, place: Place) { (self.use, self.path, self.place) = (use, path, place) }
    }

    /// A device of VA-API.
    public enum Hardware: Sendable, Equatable {
        /// One opens.
        case opens
        /// None does, for this reason.
        case none(String)
    }

    /// The terminal.
    public var terminal: Terminal
    /// The way to the speaker.
    public var audio: Audio
    /// The libraries by name and version.
    public var libraries: [LibraryVersion]
    /// Whether libavfilter can be loaded.
    public var hasFilters: Bool
    /// Common codecs that have no decoder.
    public var missingDecoders: [String]
    /// Decoding on a graphics processor.
    public var hardware: Hardware
    /// Whether https can be read.
    public var speaksTLS: Bool
    /// Whether libass finds a font.
    public var findsFont: Bool
    /// The helpers.
    public var ytdlp, tesseract: Program
    /// Where the program lies that speaks with servers of shares; nil where it is not installed.
    public var shareProgram: String?
    /// Where the program lies that reads compact discs in drives; nil where it is not installed.
    public var discProgram: String?
    /// The kernel.
    public var kernel: Kernel
    /// The program in the box.
    public var box: Box
    /// The folders of state, cache and settings.
    public var folders: [Folder]
    /// Whether packages are installed by apt-get here.
    public var hasAPT: Bool

    /// A machine.
    public init(
        terminal: Terminal, audio: Audio, libraries: [LibraryVersion], hasFilters: Bool, missingDecoders: [String],
        hardware: Hardware, speaksTLS: Bool, findsFont: Bool, ytdlp: Program, tesseract: Program, shareProgram: String?,
        discProgram: String?,
        kernel: Kernel, box: Box,
        folders: [Folder], hasAPT: Bool
    ) {
        (self.terminal, self.audio, self.libraries) = (terminal, audio, libraries)
        (self.hasFilters, self.missingDecoders, self.speaksTLS) = (hasFilters, missingDecoders, speaksTLS)
        self.hardware = hardware
        (self.findsFont, self.ytdlp, self.tesseract) = (findsFont, ytdlp, tesseract)
        (self.shareProgram, self.discProgram) = (shareProgram, discProgram)
        (self.kernel, self.box, self.folders, self.hasAPT) = (kernel, box, folders, hasAPT)
    }
}
