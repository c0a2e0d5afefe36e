import AetherCore
import AetherDesktop

/// Lines of a remote control, in pieces of any size: nothing traps, what is read is written in a form that is read again as the same.
func fuzzIPCLine(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    var whole = LineBuffer(), pieces = LineBuffer()
    whole.append(bytes)
    var lines: [[UInt8]] = []
    while let line = whole.nextLine() { lines.append(line) }
    var piecemeal: [[UInt8]] = []
    for byte in bytes {
        pieces.append([byte])
        while let line = pieces.nextLine() { piecemeal.append(line) }
    }
    precondition(lines == piecemeal)
    for line in lines + [bytes] {
        do throws(RemoteRequest.Flaw) {
            let request = try RemoteRequest(line: line)
            let written = request.line
            precondition(!written.utf8.contains { $0 < 0x20 || $0 == 0x7F })
            do throws(RemoteRequest.Flaw) {
                let again = try RemoteRequest(line: Array(written.utf8))
                precondition(again == request)
            } catch {
                preconditionFailure("\(written): \(error.reason)")
            }
        } catch {
            precondition(!error.reason.isEmpty)
        }
    }
}
