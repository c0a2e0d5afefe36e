import AetherCore

/// How a file that a document names is asked for.
public struct NamedFile: Sendable, Equatable {
    /// The kinds of patience with its server.
    public enum Patience: Sendable, Equatable {
        /// Nothing of the document plays yet: a wrong address is said at once. But the server has just answered, so that a silence is a
        /// connection that died, and is asked again.
        case opening
        /// Earlier parts of the document play on meanwhile: an outage of a minute or two is waited for.
        case playing
        /// The file is not worth a wait: it is asked for once, for a few seconds.
        case brief
    }

    /// The method of the request.
    public var method: HTTPMethod
    /// The patience with its server.
    public var patience: Patience
    /// The file lies there ready, and has 8 s to begin and to go on; without that a server may hold its answer back.
    public var isReady: Bool
    /// A document that is read from its start to its end: the server may compress it, and it comes unpacked.
    public var isDocument: Bool
    /// The version that is there already (`HTTPReader.tag`): the server need not send it again. nil: none.
    public var knownTag: String?

    /// A file that is read before anything plays.
    public init(method: HTTPMethod = .get, patience: Patience = .opening, isReady: Bool = false, isDocument: Bool = false) {
        (self.method, self.patience, self.isReady, self.isDocument) = (method, patience, isReady, isDocument)
    }

    /// The document's options for it.
    func options(_ document: HTTPOptions) -> HTTPOptions {
        var options = document
        (options.method, options.unpacks) = (method, isDocument)
        switch patience {
        case .opening: if options.opening == .opening { options.opening = .named }
        case .playing: options.opening = options.reading
        case .brief: return options.brief
        }
        if isReady { options.stallLimit = min(options.stallLimit, .seconds(8)) }
        return options
    }
}
