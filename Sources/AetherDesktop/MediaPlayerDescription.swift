/// The introspection document of the object, for programs that ask (busctl, d-feet).
enum MediaPlayerDescription {
    static let xml: String = {
        var text = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        text += interface(MediaPlayerObject.root, methods: [("Raise", []), ("Quit", [])], signals: [], rootTypes)
        text += interface(
            MediaPlayerObject.player,
            methods: [
                ("Next", []), ("Previous", []), ("Pause", []), ("PlayPause", []), ("Stop", []), ("Play", []),
                ("Seek", [("Offset", "x")]), ("SetPosition", [("TrackId", "o"), ("Position", "x")]), ("OpenUri", [("Uri", "s")]),
            ], signals: [("Seeked", [("Position", "x")])], playerTypes)
        return text + "</node>\n"
    }()

    private static let rootTypes: [(name: String, type: String, canBeSet: Bool)] = [
        ("CanQuit", "b", false), ("CanRaise", "b", false), ("HasTrackList", "b", false), ("Identity", "s", false),
        ("DesktopEntry", "s", false), ("SupportedUriSchemes", "as", false), ("SupportedMimeTypes", "as", false),
    ]

    private static let playerTypes: [(name: String, type: String, canBeSet: Bool)] = [
        ("PlaybackStatus", "s", false), ("LoopStatus", "s", true), ("Rate", "d", true), ("Shuffle", "b", true),
        ("Metadata", "a{sv}", false), ("Volume", "d", true), ("Position", "x", false), ("MinimumRate", "d", false),
        ("MaximumRate", "d", false), ("CanGoNext", "b", false), ("CanGoPrevious", "b", false), ("CanPlay", "b", false),
        ("CanPause", "b", false), ("CanSeek", "b", false), ("CanControl", "b", false),
    ]

    private static func interface(
        _ name: String, methods: [(String, [(String, String)])], signals: [(String, [(String, String)])],
        _ properties: [(name: String, type: String, canBeSet: Bool)]
    ) -> String {
        var lines = ["  <interface name=\"\(name)\">"]
        for (name, arguments) in methods {
            lines.append("    <method name=\"\(name)\">")
            lines += arguments.map { "      <arg name=\"\($0.0)\" type=\"\($0.1)\" direction=\"in\"/>" }
            lines.append("    </method>")
        }
        for (name, arguments) in signals {
            lines.append("    <signal name=\"\(name)\">")
            lines += arguments.map { "      <arg name=\"\($0.0)\" type=\"\($0.1)\"/>" }
            lines.append("    </signal>")
        }
        for property in properties {
            let access = property.canBeSet ? "readwrite" : "read"
            lines.append("    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\"/>")
        }
        return (lines + ["  </interface>", ""]).joined(separator: "\n")
    }
}
