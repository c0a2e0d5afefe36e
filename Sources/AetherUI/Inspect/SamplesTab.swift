import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal

/// The rows of the Samples tab.
struct SamplesTab {
    let inspector: Inspector
    let frame: ListFrame

    /// The heading at the right: the stream, how many samples, in which order.
    var heading: String {
        guard let samples = inspector.samples else { return "" }
        let more =
            (inspector.order == .number ? "" : ", " + inspector.order.title)
            + (inspector.filter.isEmpty ? "" : translated(", filtered"))
        guard let stream = inspector.stream, let kind = samples.streams.first(where: { $0.index == stream })?.kind else {
            return translated("\(inspector.listed.count) of all streams") + more
        }
        return translated("stream \(stream) (\(kind)): \(inspector.listed.count)") + more
    }

    /// A sample: number, times, bytes, GOP, place, chunk.
    func write(_ place: Int, row: Int, into pane: inout Pane) {
        guard let list = inspector.samples else { return }
        let sample = list.rows[inspector.listed[place]], isSelected = place == inspector.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let base = list.timeBase(sample.stream)
        func seconds(_ ticks: Int64?) -> String { ticks.map { SampleList.seconds($0, base) } ?? "-" }
        var columns = [("#\(sample.number)", 9), ("pts " + seconds(sample.pts), 18), ("dts " + seconds(sample.dts), 18)]
        columns += [("\(sample.size)", 9), (sample.isKey ? "key" : "", 5), ("gop \(sample.gop)", 9)]
        columns += [(sample.position.map { "@\($0)" } ?? "", 14), (sample.part > 0 ? "chunk \(sample.part)" : "", 13)]
        columns += [(sample.dependency.text, 27)]
        columns += [(sample.isEncrypted ? "encrypted" : "", 10)]
        var column = 3
        for (text, width) in columns {
            guard column + width <= frame.rect.columns - ListFrame.trail else { break }
            let start = column + max(0, width - 1 - text.count)
            pane.write(text, column: start, row: row, isSelected ? .paneSelected : sample.isKey ? .paneKey : .paneValue)
            column += width
        }
    }
}
