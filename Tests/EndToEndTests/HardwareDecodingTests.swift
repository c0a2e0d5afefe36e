import AetherTestSupport
import Foundation
import Testing

/// `--hwdec vaapi` on a device that is made of software: who decodes, what a person is told, and that frames are the same in any case.
@Suite(
    .enabled(if: Programs.control != nil, "\(Programs.missing)"),
    .enabled(if: TrialDevice.obstacle == nil, "\(TrialDevice.obstacle ?? "")"))
struct HardwareDecodingTests {
    private let device: TrialDevice

    init() throws { device = try TrialDevice() }

    /// A frame a second, so that no machine is too slow for it: what is measured in a trial is CPU time.
    private static func clip(_ size: String, _ options: [String] = []) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=1:d=40", "-threads", "1", "-c:v", "libvpx-vp9", "-deadline", "good",
                "-cpu-used", "5", "-b:v", "500k", "-g", "16", "-auto-alt-ref", "1", "-lag-in-frames", "12",
            ] + options, ext: "webm")
    }

    private static func plain() throws -> String { try clip("640x360") }

    private func play(
        _ path: String, _ switches: [String: String] = [:], _ arguments: [String] = ["--hwdec", "vaapi", "--no-sandbox"]
    ) throws -> Command {
        try Command(
            [#require(Programs.control), "play", "--sink", "hash", "--untimed"] + arguments + [path],
            environment: device.environment(switches))
    }

    /// The sentence on who decoded, and that the frames are those of software.
    private func outcome(_ path: String, _ switches: [String: String] = [:]) throws -> String {
        let software = try play(path, [:], []), tried = try play(path, switches)
        #expect(software.status == 0 && tried.status == 0, "\(tried.standardError)")
        #expect(software.standardOutput.split(separator: "\n").count == 40)
        #expect(tried.standardOutput == software.standardOutput)
        #expect(!software.standardError.contains("VA-API"))
        return tried.standardError
    }

    @Test func itDecodesWhereThatIsCheaper() throws {
        let said = try outcome(Self.plain())
        #expect(said.contains("VA-API decodes: ") && said.contains(" ms of CPU a frame, software takes "), "\(said)")
    }

    /// P010 becomes planes of ten bits, and the last pixel of odd halves is there.
    @Test(arguments: [("640x360", "yuv420p10le"), ("638x358", "yuv420p"), ("634x354", "yuv420p10le")])
    func formatsAndSizesAreThoseOfSoftware(_ size: String, _ format: String) throws {
        let said = try outcome(Self.clip(size, ["-pix_fmt", format]))
        #expect(said.contains("VA-API decodes: "), "\(said)")
    }

    /// Ten million steps a frame, 10 ms and more: several times what software takes.
    @Test func aDeviceThatCostsMoreIsNotUsed() throws {
        let said = try outcome(Self.plain(), ["AETHER_TRIAL_VA_TOIL": "10"])
        #expect(said.contains("software decodes: ") && said.contains(" ms of CPU a frame, VA-API takes "), "\(said)")
    }

    @Test func aDeviceThatShowsSomethingElseIsNotUsed() throws {
        let said = try outcome(Self.plain(), ["AETHER_TRIAL_VA_GREEN": "1"])
        #expect(said.contains("software decodes: VA-API shows something else"), "\(said)")
    }

    /// In the trial, at once behind it, within the stretch between key frames, and at a key frame.
    @Test(arguments: ["0", "4", "10", "20", "27", "33"], ["AETHER_TRIAL_VA_FAIL", "AETHER_TRIAL_VA_UNREADABLE"])
    func noFrameIsLostWhereItFails(_ number: String, _ fault: String) throws {
        let said = try outcome(Self.plain(), [fault: number])
        #expect(
            said.contains(Int(number).map { $0 < 9 } == true ? "VA-API refuses the stream: " : "VA-API has failed: "), "\(said)")
    }

    @Test func aCodecWithoutADecoderThereIsSaidToBeSo() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=1:d=40", "-threads", "1", "-c:v", "libtheora"], ext: "ogg")
        let said = try outcome(path)
        #expect(said.contains("software decodes: VA-API has no decoder for theora"), "\(said)")
    }

    /// The driver decodes VP9 alone.
    @Test func aStreamThatTheDriverRefusesIsDecodedBySoftware() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=1:d=40", "-threads", "1", "-c:v", "libx264", "-g", "10"], ext: "mkv")
        let said = try outcome(path)
        #expect(said.contains("software decodes: VA-API refuses the stream: "), "\(said)")
    }

    @Test func aMachineWithoutADeviceIsToldSo() throws {
        let said = try outcome(Self.plain(), ["DISPLAY": "", "LIBVA_DRIVERS_PATH": "/nowhere"])
        #expect(said.contains("software decodes: cannot open ‘VA-API’: "), "\(said)")
    }

    @Test func theBoxHasNoDeviceAndSaysWhatToDo() throws {
        for options in [[], ["--sandbox"]] {
            let said = try play(Self.plain(), [:], ["--hwdec", "vaapi"] + options)
            #expect(said.status == 0, "\(said.standardError)")
            #expect(
                said.standardError.contains(
                    "software decodes: the box has no graphics device, --no-sandbox lets VA-API be tried"))
        }
    }

    @Test func theDoctorSaysWhetherADeviceOpens() throws {
        let control = try #require(Programs.control)
        let there = try Command([control, "doctor"], environment: device.environment())
        #expect(there.standardOutput.contains("a device opens: --hwdec vaapi with --no-sandbox tries it on each stream"))
        let bare = try Command(
            [control, "doctor"], environment: device.environment(["DISPLAY": "", "LIBVA_DRIVERS_PATH": "/nowhere"]))
        #expect(bare.standardOutput.contains("; software decodes all video"))
    }
}
