import AetherCore
import AetherEngine

/// Graphs of filters as a person types them: read, and what is wrong with them in words that say where.
enum FilterText {
    /// The graph of a text; nil for none. `asksLibrary`: also whether libavfilter takes it, which loads it.
    static func graph(
        _ text: String, _ medium: FilterGraph.Medium, asksLibrary: Bool
    ) throws(ActionName.Problem) -> FilterGraph? {
        if text.isEmpty || text == "none" { return nil }
        let graph: FilterGraph
        do throws(FilterFault) {
            graph = try FilterGraph(text, medium)
        } catch {
            let near = error.unknownName.map { ConfigError.suggestion(for: $0, among: FilterGraph.names(medium)) } ?? ""
            throw ActionName.Problem(reason: error.description + near)
        }
        if asksLibrary, let fault = FilterTrial.fault(of: graph) { throw ActionName.Problem(reason: fault) }
        return graph
    }

    /// The fault in a setting's value, where that is a graph of filters; nil for other settings, and for a valid graph.
    static func fault(in value: String, of setting: Setting, asksLibrary: Bool) -> String? {
        guard setting == .videoFilters || setting == .audioFilters else { return nil }
        do throws(ActionName.Problem) {
            _ = try graph(value, setting == .videoFilters ? .video : .audio, asksLibrary: asksLibrary)
            return nil
        } catch {
            return error.reason
        }
    }
}
