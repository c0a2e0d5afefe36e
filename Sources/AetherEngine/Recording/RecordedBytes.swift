import AetherCore

/// Bytes of a source as they came, on their way to a recording.
struct RecordedBytes: Sendable {
    var bytes: [UInt8]
    /// Their media time where they are whole segments; nil where only the packets say it.
    var span: TimeSpan?
    /// The ending of a file of such bytes; nil where the container has said it.
    var ending: String?
    /// The container has another header from here on: a file of their own.
    var beginsFile = false
}
