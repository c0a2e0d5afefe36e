public import AetherCore
import CFFmpeg

/// Filters between a source of frames and a sink, as libavfilter is told of them.
public struct FilterOrder: Sendable, Equatable {
    /// A filter, and the joints that lead into it and out of it, as in `FilterGraph`.
    struct Step: Sendable, Equatable {
        let name, options: String
        var inputs: [String] = [], outputs: [String] = []
        /// The outputs of the filter before do not lead here by themselves.
        var beginsChain = false
        /// Where its name stands in the text of a person, from 1.
        var column = 1
    }

    /// The samples that they are for.
    public let medium: FilterGraph.Medium
    /// At least one.
    let steps: [Step]
    /// The options of `buffer` or `abuffer`: the form of what goes in.
    let source: String
    /// The filter in front of the sink that brings what comes out into the wanted form.
    let form: Step?
    let threadCount: Int

    /// `source`: the form of what goes in, as options of `buffer` or `abuffer`.
    init(_ steps: [Step], _ medium: FilterGraph.Medium, source: String, form: Step? = nil, threadCount: Int) {
        (self.steps, self.medium, self.source, self.form) = (steps, medium, source, form)
        self.threadCount = max(1, min(4, threadCount))
    }

    /// The order of a record; nil where it is none.
    public init?(_ record: inout RecordReader) {
        medium = record.bool() ? .video : .audio
        steps = record.list(limit: FilterGraph.mostFilters, Self.step)
        source = record.text(limit: FilterGraph.longestText)
        form = record.optional(Self.step)
        threadCount = Int(record.integer(in: UInt8(1)...4))
        guard !record.isBroken, !steps.isEmpty else { return nil }
    }

    private static func step(_ record: inout RecordReader) -> Step {
        func joints(_ record: inout RecordReader) -> [String] {
            record.list(limit: FilterGraph.longestText) { $0.text(limit: FilterGraph.longestText) }
        }
        let name = record.text(limit: FilterGraph.longestText), options = record.text(limit: FilterGraph.longestText)
        let inputs = joints(&record), outputs = joints(&record)
        return Step(
            name: name, options: options, inputs: inputs, outputs: outputs, beginsChain: record.bool(),
            column: Int(record.integer(UInt16.self)))
    }

    /// Writes it as a record.
    public func put(to record: inout RecordWriter) {
        record.put(medium == .video)
        record.put(each: steps, Self.put)
        record.put(source)
        record.put(form, Self.put)
        record.put(UInt8(clamping: threadCount))
    }

    private static func put(_ record: inout RecordWriter, _ step: Step) {
        record.put(step.name)
        record.put(step.options)
        for joints in [step.inputs, step.outputs] { record.put(each: joints) { $0.put($1) } }
        record.put(step.beginsChain)
        record.put(UInt16(clamping: step.column))
    }
}

extension FilterGraph {
    /// The filters as an order has them.
    var steps: [FilterOrder.Step] {
        filters.map {
            FilterOrder.Step(
                name: $0.name, options: $0.options, inputs: $0.inputs, outputs: $0.outputs, beginsChain: $0.beginsChain,
                column: $0.column)
        }
    }
}

extension FilterOrder {
    /// Filters of video for frames like this one: size, format and the shape of pixels are kept, and times are in nanoseconds, for what comes between
    /// two frames is exact there, too. Throws `.unsupported` for a frame without pixels.
    init(_ steps: [Step], like frame: borrowing DecodedFrame, threadCount: Int) throws(MediaError) {
        let input = frame.pointer.pointee, aspect = input.sample_aspect_ratio
        guard let name = frame.pixelFormatName else {
            throw MediaError(.unsupported, "use the filters", reason: "no pixel format")
        }
        self.init(
            steps, .video,
            source: "video_size=\(input.width)x\(input.height):pix_fmt=\(name):time_base=1/1000000000"
                + ":pixel_aspect=\(max(0, aspect.num))/\(max(1, aspect.den))",
            threadCount: threadCount)
    }

    /// Filters of interleaved float samples; `keepsForm`: what comes out is brought into the form of what goes in.
    init(_ steps: [Step], format: AudioFormat, keepsForm: Bool) {
        let layout = ChannelLayout.name(channelCount: format.channelCount), rate = format.sampleRate
        self.init(
            steps, .audio, source: "time_base=1/\(rate):sample_rate=\(rate):sample_fmt=flt:channel_layout=\(layout)",
            form: keepsForm
                ? Step(name: "aformat", options: "sample_fmts=flt:sample_rates=\(rate):channel_layouts=\(layout)") : nil,
            threadCount: 1)
    }
}
