import AetherCore
import AetherMedia
import CBox

/// The work that libraries and the language's runtime do at the first use of a thing: tables of codecs, generic types, lists of conformances.
/// Done once in the program of which workers are copies, it is done in all of them, and shared. Nothing here comes from outside.
enum FirstUse {
    /// Opens a decoder as a wish says, and has it answer. Starts no threads.
    static func rehearse() {
        var wish = RecordWriter()
        wish.put(false)
        wish.put(UInt8(1))
        EffortRecord.put(DecodeEffort(), to: &wish)
        ParametersRecord.put(.example, to: &wish)
        do throws(MediaError) {
            var service = try FrameService(BoxMessage(.openVideo, wish.bytes), -1)
            _ = try service.answer(BoxMessage(.receiveFrame, [0]), -1)
        } catch {
            // A libavcodec without this decoder: copies do at their own first use what is left.
        }
        speak()
    }

    /// A message from one end of a stream to the other.
    private static func speak() {
        var first: Int32 = -1, second: Int32 = -1
        guard box_socket_pair(&first, &second) == 0 else { return }
        let here = BoxLine(socket: first, closes: true), there = BoxLine(socket: second, closes: true)
        do throws(BoxFault) {
            try here.send(BoxMessage(.state, [1]))
            _ = try there.receive()
        } catch {
            // Copies meet it, and say it.
        }
    }
}
