/// A request of the browser to the app.
public enum BrowserRequest: Sendable, Equatable {
    /// Read a directory; the answer is an `AppMessage.directory`.
    case read(DirectoryRequest)
    /// Play these files, beginning with one of them, instead of the list.
    case play([String], from: Int)
    /// Play what a playlist lists, or something that was played before.
    case open(String)
    /// Take what the command line would take into the list: behind the present file, or at the end.
    case add(String, isNext: Bool)
    /// Show a still out of this file; nil: none is wanted any more.
    case look(String?)
}

/// A directory that shall be read; its answer has the same number.
public struct DirectoryRequest: Sendable, Equatable {
    let path: String
    let number: Int
    /// Names that begin with a point, too.
    var showsHidden = false
}
