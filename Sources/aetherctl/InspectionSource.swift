import AetherCore
import AetherEngine
import AetherFormats
import AetherMedia
import AetherOptions
import AetherSources

/// The bytes of a source for an inspector: by ranges of a file or a web server; of a pipe what comes, up to a bound.
struct InspectionSource {
    let bytes: InspectedBytes
    /// A pipe had more than was kept.
    let isCut: Bool

    /// Bytes of a pipe that are kept.
    private static let pipeLimit = 64 << 20

    /// Opens a source. Blocks. Throws `.cannotOpen` in the system's words.
    init(_ source: String, _ network: NetworkOptions) throws(MediaError) {
        let location = MediaLocation.parse(source).inPackage, http = network.http(for: source)
        do throws(IOReaderError) {
            if let reader = try location.serverReader(http) {
                try reader.open()
                self = try InspectionSource(reader)
                return
            }
        } catch {
            throw Self.failure(source, error)
        }
        guard case .reader(let reader, _) = try MediaInput(.location(location), http: http, interrupt: Interrupt()) else {
            throw MediaError(.cannotOpen, "open", subject: source, reason: "its bytes cannot be read by themselves")
        }
        do throws(IOReaderError) { self = try InspectionSource(reader) } catch { throw Self.failure(source, error) }
    }

    private init(_ reader: any IOReader) throws(IOReaderError) {
        guard reader.isSeekable else {
            let all = try reader.bytes(limit: Self.pipeLimit)
            (bytes, isCut) = (InspectedBytes(all), all.count == Self.pipeLimit)
            return
        }
        isCut = false
        bytes = InspectedBytes(size: reader.size, isFrugal: !reader.traits.isLocal) { offset, count in
            do throws(IOReaderError) {
                try reader.seek(to: offset)
                return try reader.bytes(limit: count)
            } catch {
                // The inspection says that a read failed.
                return nil
            }
        }
    }

    private static func failure(_ source: String, _ error: IOReaderError) -> MediaError {
        switch error {
        case .network(let fault): MediaError(.cannotOpen, "open", subject: source, reason: fault.sentence(asked: source))
        default: MediaError(.cannotOpen, "open", subject: source, reason: reason(of: error))
        }
    }
}
