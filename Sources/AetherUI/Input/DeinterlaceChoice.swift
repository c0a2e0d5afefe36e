import AetherCore
public import ArgumentParser

/// The values of `--deinterlace`.
public enum DeinterlaceChoice: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// By the filter, a frame for each field that can be shown; where the height is halved or less, by leaving one field out.
    case auto
    case off
    /// Always by the filter, a frame for each field.
    case field
    /// Always by the filter, one frame for each pair of fields.
    case frame

    var deinterlacing: Deinterlacing {
        switch self {
        case .auto: Deinterlacing()
        case .off: Deinterlacing(mode: .off)
        case .field: Deinterlacing(mode: .software)
        case .frame: Deinterlacing(mode: .software, fieldRate: .frame)
        }
    }
}
