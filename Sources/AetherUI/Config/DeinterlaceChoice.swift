import AetherEngine
public import ArgumentParser

/// The values of `--deinterlace`.
public enum DeinterlaceChoice: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// By the filter, a picture for each field that can be shown; where the height is halved or less, by leaving one field out.
    case auto
    case off
    /// Always by the filter, a picture for each field.
    case field
    /// Always by the filter, a picture for each frame.
    case frame

    var mode: DeinterlaceMode {
        switch self {
        case .auto: .auto
        case .off: .off
        case .field, .frame: .software
        }
    }

    var rate: DeinterlaceFieldRate { self == .frame ? .frame : .field }
}
