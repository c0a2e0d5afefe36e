import AetherMedia
import AetherSources
import Testing

/// A file as a demuxer takes it.
func reading(_ path: String) throws -> MediaInput {
    .reader(try #require(try MediaLocation.file(path).openReader()), name: path)
}
