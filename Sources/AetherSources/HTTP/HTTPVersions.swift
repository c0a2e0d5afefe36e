import AetherCore
import CCurl

/// The newest version of HTTP that is offered to each server. HTTP/3 only to one that has said (RFC 7838, `Alt-Svc`) that it speaks it at the same
/// address: offered to others it costs each connection 20 to 50 ms, and where none comes about, libcurl says no more than that. Pure.
struct HTTPVersions: Sendable {
    private let speaksHTTP3: Bool
    private var origins: [WebOrigin: Bool] = [:]
    /// More servers than a day's playing meets; further ones are spoken to with HTTP/2.
    static let limit = 1000

    /// `speaksHTTP3`: libcurl was built with it.
    init(speaksHTTP3: Bool = WebLibrary.speaksHTTP3) { self.speaksHTTP3 = speaksHTTP3 }

    /// Whether a request to a server may use HTTP/3. No proxy carries it.
    func offersHTTP3(to origin: WebOrigin, isProxied: Bool) -> Bool {
        speaksHTTP3 && origin.scheme == "https" && !isProxied && origins[origin] == true
    }

    /// A server has answered. `services`: its field `Alt-Svc`.
    mutating func heard(_ services: String, from origin: WebOrigin) {
        guard speaksHTTP3, origin.scheme == "https", origins[origin] != nil || origins.count < Self.limit else { return }
        if services.lowercased().contains("clear") {
            origins[origin] = nil
        } else if origins[origin] == nil, Self.names(services, port: origin.port) {
            origins[origin] = true
        }
    }

    /// A request that offered HTTP/3 has come to nothing: this server is not offered it any more.
    mutating func refused(by origin: WebOrigin) { origins[origin] = false }

    /// Whether there is HTTP/3 at the same host and port: `h3=":443"; ma=86400`. One elsewhere is not gone to.
    private static func names(_ services: String, port: Int) -> Bool {
        services.prefix(2000).split(separator: ",").contains { service in
            let word = service.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\"" }
            return word == "h3=:\(port)"
        }
    }
}
