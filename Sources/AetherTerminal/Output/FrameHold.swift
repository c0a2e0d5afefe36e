import AetherCore

/// The end of a frame that is held back until the frame is due, so that the terminal shows it then and not when its bytes are through.
struct FrameHold {
    /// Goes out at `due`; empty where nothing is held.
    var tail: [UInt8] = []
    var due = HostTime(nanoseconds: 0)
    /// The time of everything before.
    var headTime: TimeSpan?

    /// The room in which a sequence is looked for: a row of cells or so, which is read in no time.
    private static let reach = 1024

    /// Nothing is held.
    init() {}

    /// Takes the end off a frame: that of its synchronized update, or its last control sequence, before which the terminal's parser is
    /// between two. A frame without one at its end, as an image's long string, is not cut.
    init(ofEnd frame: inout [UInt8], isUpdate: Bool, due: HostTime) {
        self.due = due
        if isUpdate {
            tail = Escape.synchronizedUpdateEnd
            return
        }
        var index = frame.count - 2
        while index > max(0, frame.count - Self.reach) {
            // Behind another ESC it lies in a string that is handed on by tmux.
            if frame[index] == 0x1B, frame[index + 1] == 0x5B, frame[index - 1] != 0x1B {
                tail = Array(frame[index...])
                frame.removeSubrange(index...)
                return
            }
            index -= 1
        }
    }
}
