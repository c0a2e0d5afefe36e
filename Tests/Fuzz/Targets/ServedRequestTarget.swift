@testable import AetherServe

/// Heads of requests that the loopback server gets: one that is taken has a path and a host without control characters.
func fuzzServedRequest(_ input: UnsafeBufferPointer<UInt8>) {
    do throws(ServedRequest.Flaw) {
        let request = try ServedRequest(Array(input))
        precondition(request.path.hasPrefix("/") && !request.host.isEmpty && input.count <= ServedRequest.limit)
        precondition(!(request.path + request.host).utf8.contains { $0 < 0x21 || $0 >= 0x7F })
        precondition(!request.path.contains("?") && !request.path.contains("#"))
    } catch {
        precondition((400...505).contains(error.rawValue))
    }
}
