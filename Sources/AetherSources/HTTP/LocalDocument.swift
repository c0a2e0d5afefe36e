public import AetherCore
import Synchronization

/// A document on this machine that names addresses of the web. The person's headers and passwords are for the first server that it names, and
/// for no other. It may name private addresses.
public final class LocalDocument: Sendable {
    private let options: HTTPOptions
    private let meter: NetworkMeter
    private let first = Mutex<WebOrigin?>(nil)

    /// The document's addresses are requested with these options, and their traffic is counted by the meter.
    public init(options: HTTPOptions = HTTPOptions(), meter: NetworkMeter = NetworkMeter()) {
        (self.options, self.meter) = (options, meter)
    }

    /// A reader of an address that the document names; nothing is asked yet. Throws `.network(.invalidAddress)` for what is no address.
    public func reader(_ url: String, as file: NamedFile = NamedFile()) throws(IOReaderError) -> HTTPReader {
        guard let address = WebAddress(url) else { throw .network(NetworkFault(.invalidAddress)) }
        let origin = first.withLock { first in
            if first == nil { first = address.origin }
            return first ?? address.origin
        }
        let document = Provenance(origin: origin, isPrivate: true, user: nil, password: nil, isSecure: false)
        let reader = try HTTPReader(url, options: file.options(options.named(by: document)), meter: meter)
        reader.know(file.knownTag)
        return reader
    }
}
