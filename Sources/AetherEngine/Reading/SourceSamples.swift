import AetherCore
public import AetherFormats
import AetherMedia
public import AetherSources

/// The samples of a source, for inspectors.
public enum SourceSamples {
    /// Reads the packets of a source to the end, with a reader of its own. Blocks; `goesOn` is asked every 10 000 packets whether more are
    /// wanted. nil where the source cannot be opened or read.
    public static func list(_ location: MediaLocation, goesOn: () -> Bool) -> SampleList? {
        do throws(MediaError) {
            let input = try MediaInput(.location(location), interrupt: Interrupt())
            var demuxer = try Demuxer(input, options: OpenOptions(analysis: .full), interrupt: Interrupt())
            return try demuxer.samples { _ in goesOn() }
        } catch {
            Log.module("inspect").info("\(error)")
            return nil
        }
    }
}
