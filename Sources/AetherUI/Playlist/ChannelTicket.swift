import AetherFormats
import AetherSources

/// The facts of a channel that the player needs beside the address.
struct ChannelTicket: Sendable, Equatable {
    /// The channel's place in its list, from 0.
    let index: Int
    let userAgent: String?
    let referrer: String?
    let headers: [String: String]
    /// Keys for media under Clear Key that the list gives.
    let clearKeys: [String]
    /// A programme of the past in place of what is on now.
    var past: GuideProgramme?

    init(_ channel: Channel, index: Int) {
        self.index = index
        (userAgent, referrer, headers) = (channel.userAgent, channel.referrer, channel.headers)
        clearKeys = channel.clearKeys
    }

    /// Adds what the channel's server is to be told. Lines of its own go to its own host alone.
    func apply(to http: inout HTTPOptions, address: String) {
        http.userAgent = userAgent ?? http.userAgent
        http.referrer = referrer ?? http.referrer
        guard !headers.isEmpty, let target = StreamAddress(address), var host = HTTPHostOptions(target.host) else { return }
        host.headers = headers
        http.hosts.append(host)
    }
}
