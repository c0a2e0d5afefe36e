import AetherCore

/// The reason why a compact disc's image is not played.
public enum CompactFault: Error, Sendable, Equatable {
    /// A file that the sheet names is not beside it; its name.
    case missing(String)
    /// A file of the sheet is of a format in which no sectors lie; its name and the format.
    case format(String, String)
    /// The sheet lists audio files and no image.
    case list
    /// No track lies within the files.
    case empty
    /// There are files on it, and neither video nor audio.
    case filesOnly
    /// There is no title of that number; the number of titles.
    case noTitle(of: Int)

    /// One clause for people.
    public var reason: String {
        switch self {
        case .missing(let name):
            translated(
                "its sheet names “\(DisplayText.singleLine(name, limit: 200))”, which is not beside it: put the image into the sheet's folder"
            )
        case .format(let name, let format):
            translated(
                "a part of it is “\(DisplayText.singleLine(name, limit: 200))” in the format \(format): convert that to WAVE, 44.1 kHz, 16 bits, stereo"
            )
        case .list: translated("it is a list of audio files: aether-tui plays the list, this takes one of the files")
        case .empty: translated("no track of its sheet lies within its image: the image is cut off, or belongs to another sheet")
        case .filesOnly:
            translated("there are files on this disc and no tracks of video or audio: mount its image and play the files")
        case .noTitle(of: let count):
            count == 1 ? translated("this disc has one title") : translated("this disc has titles 1 to \(count)")
        }
    }
}
