public import AetherCore
import AetherMedia

/// A look at a graph of filters before anything is played with it.
public enum FilterTrial {
    /// The reason why this system's libavfilter refuses a graph, with the place of the fault; nil where it takes it. Blocks on the file system
    /// the first time, 10 to 20 ms, for the library is loaded.
    public static func fault(of graph: FilterGraph) -> String? { graph.fault?.description }
}
