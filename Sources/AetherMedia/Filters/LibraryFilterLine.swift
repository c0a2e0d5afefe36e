public import AetherCore
import CFFmpeg

/// Filters as libavfilter has them, between a source that frames are put into and a sink that they come out of. Each filter is made by
/// itself, so that a fault has a place. Lives on one thread.
public struct LibraryFilterLine: ~Copyable {
    private typealias Filter = UnsafeMutablePointer<AVFilterContext>
    private struct Pad {
        let filter: UnsafeMutablePointer<AVFilterContext>
        let number: UInt32
        let column: Int
    }

    private let library: FilterLibrary
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let source, sink: UnsafeMutablePointer<AVFilterContext>

    /// Makes the filters and joins them. Blocks on the file system the first time, 10 to 20 ms, for the library is loaded. Throws `.unsupported` with
    /// the place of the fault.
    public init(_ order: FilterOrder) throws(MediaError) {
        let library = try FilterLibrary(for: "use filters")
        guard let graph = library.calls.graph_alloc() else {
            throw MediaError(.internalFailure, "use filters", reason: "out of memory")
        }
        graph.pointee.nb_threads = Int32(order.threadCount)
        let ends: (source: Filter, sink: Filter)
        do throws(MediaError) {
            ends = try Self.build(order, in: graph, library)
        } catch {
            var owned: UnsafeMutablePointer<AVFilterGraph>? = graph
            library.calls.graph_free(&owned)
            throw error
        }
        (source, sink) = ends
        (self.library, self.graph) = (library, graph)
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFilterGraph>? = graph
        library.calls.graph_free(&owned)
        MediaBalance.contexts.add(-1)
    }

    // MARK: - Building

    private static func build(
        _ order: FilterOrder, in graph: UnsafeMutablePointer<AVFilterGraph>, _ library: FilterLibrary
    ) throws(MediaError) -> (source: Filter, sink: Filter) {
        let prefix = order.medium == .audio ? "a" : ""
        let source = try make("\(prefix)buffer", order.source, in: graph, library, column: 1)
        let sink = try make("\(prefix)buffersink", "", in: graph, library, column: 1)
        let last = try join(order.steps, from: source, in: graph, library)
        var end = sink
        if let form = order.form {
            end = try make(form.name, form.options, in: graph, library, column: last.column)
            try link(end, 0, sink, 0, library, column: last.column)
        }
        try link(last.filter, last.number, end, 0, library, column: last.column)
        return (source, sink)
    }

    /// The most that one frame between two filters may have: 8192 × 8192 pixels, and eight times the usual rate of samples.
    private static let mostPixels: Int64 = 1 << 26
    private static let highestRate = 384_000

    /// Settles formats and sizes between the filters. Throws where they do not go together, or a frame would take all memory.
    public mutating func settle() throws(MediaError) {
        let status = library.calls.graph_config(graph, nil)
        if status < 0 { throw MediaError(.unsupported, "use the filters", averror: status) }
        for index in 0..<Int(graph.pointee.nb_filters) {
            guard let filter = graph.pointee.filters[index] else { continue }
            for output in 0..<Int(filter.pointee.nb_outputs) {
                guard let link = filter.pointee.outputs[output] else { continue }
                guard aether_link_pixels(link) <= Self.mostPixels, aether_link_rate(link) <= Self.highestRate else {
                    throw MediaError(.unsupported, "use the filters", reason: "frames between them would be too large")
                }
            }
        }
    }

    private static func make(
        _ name: String, _ options: String, in graph: UnsafeMutablePointer<AVFilterGraph>, _ library: FilterLibrary, column: Int
    ) throws(MediaError) -> Filter {
        // What it prints of a fault is none of the one line that a person gets.
        FFmpegLog.install()
        guard let kind = library.calls.get_by_name(name) else {
            throw fault(column, name, reason: "this system's libavfilter does not have it")
        }
        var context: Filter?
        let status = library.calls.graph_create_filter(&context, kind, nil, options.isEmpty ? nil : options, nil, graph)
        guard status >= 0, let context else { throw fault(column, name, reason: AVError(code: status).text) }
        return context
    }

    private static func link(
        _ from: Filter, _ output: UInt32, _ to: Filter, _ input: UInt32, _ library: FilterLibrary, column: Int
    ) throws(MediaError) {
        let status = library.calls.link(from, output, to, input)
        if status < 0 { throw fault(column, "", reason: "what comes out here does not go in there") }
    }

    private static func fault(_ column: Int, _ name: String, reason: String) -> MediaError {
        MediaError(
            .unsupported, name.isEmpty ? "join the filters" : "use the filter", subject: name,
            reason: FilterFault(column, reason).description)
    }

    /// Makes the filters, each joined to what leads into it, and returns the one output that is left over.
    private static func join(
        _ steps: [FilterOrder.Step], from source: Filter, in graph: UnsafeMutablePointer<AVFilterGraph>, _ library: FilterLibrary
    ) throws(MediaError) -> Pad {
        var start: Pad? = Pad(filter: source, number: 0, column: 1)
        var joints: [String: Pad] = [:], carried: [Pad] = [], open: [Pad] = []
        for filter in steps {
            if filter.beginsChain {
                open += carried
                carried = []
            }
            let context = try make(filter.name, filter.options, in: graph, library, column: filter.column)
            var leading: [Pad] = []
            for label in filter.inputs {
                if let pad = joints.removeValue(forKey: label) {
                    leading.append(pad)
                } else if label == "in", let pad = start.take() {
                    leading.append(pad)
                } else {
                    throw fault(filter.column, "", reason: translated("no joint [\(label)] comes before"))
                }
            }
            leading += carried
            let inputs = Int(context.pointee.nb_inputs), outputs = Int(context.pointee.nb_outputs)
            if leading.count < inputs, let pad = start.take() { leading.append(pad) }
            guard leading.count == inputs else {
                throw fault(
                    filter.column, "", reason: translated("\(filter.name) has \(inputs) inputs, and \(leading.count) lead there"))
            }
            for (number, pad) in leading.enumerated() {
                try link(pad.filter, pad.number, context, UInt32(number), library, column: filter.column)
            }
            guard filter.outputs.count <= outputs else {
                throw fault(filter.column, "", reason: translated("\(filter.name) has \(outputs) outputs"))
            }
            let pads = (0..<outputs).map { Pad(filter: context, number: UInt32($0), column: filter.column) }
            for (label, pad) in zip(filter.outputs, pads) where joints.updateValue(pad, forKey: label) != nil {
                throw fault(filter.column, "", reason: translated("[\(label)] is there twice"))
            }
            carried = Array(pads.dropFirst(filter.outputs.count))
        }
        if let start { throw fault(start.column, "", reason: "nothing is done with the source") }
        let left = open + carried + joints.sorted { $0.key < $1.key }.map(\.value)
        guard let last = left.first, left.count == 1 else {
            throw fault(
                left.last?.column ?? 1, "", reason: translated("\(left.count) outputs are left over, and there must be one"))
        }
        return last
    }

    // MARK: - Frames

    /// The unit of the times of what comes out.
    public var timeBase: TimeBase {
        let base = library.calls.sink_get_time_base(sink)
        return TimeBase(base.num, base.den)
    }

    /// Puts a frame in; nil: none follows.
    mutating func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(MediaError) {
        let status = library.calls.source_add_frame(source, frame)
        if status < 0 { throw MediaError(.unsupported, "use the filters", averror: status) }
    }

    /// Fills a frame with what comes out; false where another has to go in first.
    mutating func receive(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Bool {
        let status = library.calls.sink_get_frame(sink, frame)
        if status == AVError.tryAgain.code || status == AVError.endOfFile.code { return false }
        if status < 0 { throw MediaError(.internalFailure, "use the filters", averror: status) }
        return true
    }
}

extension FilterGraph {
    /// The reason why this system's libavfilter refuses the graph, with the place of the fault; nil where it takes it. What depends on the size
    /// of frames shows only when they come. Blocks on the file system the first time, 10 to 20 ms, for the library is loaded.
    public var fault: MediaError? {
        do throws(MediaError) {
            _ = try LibraryFilterLine(
                FilterOrder(
                    steps, medium,
                    source: medium == .video
                        ? "video_size=640x360:pix_fmt=yuv420p:time_base=1/1000000000:pixel_aspect=1/1"
                        : "time_base=1/48000:sample_rate=48000:sample_fmt=flt:channel_layout=stereo",
                    threadCount: 1))
            return nil
        } catch {
            return error
        }
    }
}

/// Frames as the worker of a box has them.
extension LibraryFilterLine {
    /// Puts a frame in, whose memory the filters hold for as long as they need it, and do not write to. Throws as `settle`.
    public mutating func put(_ frame: borrowing DecodedFrame) throws(MediaError) { try put(frame, isCopied: false) }

    /// Puts a frame in, of which the filters have a copy: its memory is used anew for the next. Throws as `settle`.
    public mutating func put(copyOf frame: borrowing DecodedFrame) throws(MediaError) { try put(frame, isCopied: true) }

    private mutating func put(_ frame: borrowing DecodedFrame, isCopied: Bool) throws(MediaError) {
        guard let other = av_frame_clone(frame.pointer) else { throw MediaError(.internalFailure, "use the filters") }
        defer {
            var owned: UnsafeMutablePointer<AVFrame>? = other
            av_frame_free(&owned)
        }
        let status = isCopied ? av_frame_make_writable(other) : 0
        if status < 0 { throw MediaError(.internalFailure, "use the filters", averror: status) }
        try send(other)
    }

    /// No frame follows: `take` gives what was held back.
    public mutating func finish() throws(MediaError) { try send(nil) }

    /// The next frame with the filters' own time; nil where another has to go in first.
    public mutating func take() throws(MediaError) -> DecodedFrame? {
        guard let frame = av_frame_alloc() else { throw MediaError(.internalFailure, "use the filters", reason: "out of memory") }
        // It is freed with its owner, filled or not.
        let owned = DecodedFrame(taking: frame, pts: nil, duration: nil)
        guard try receive(frame) else { return nil }
        return owned
    }
}
