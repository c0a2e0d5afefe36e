import Foundation

/// A DVD made by ffmpeg, spumux, dvdauthor and genisoimage when a test first asks for it: title 1 of two video objects with a clock each (6 s and
/// 5 s, four chapters, German audio and an English commentary, French and Spanish subtitles in red), title 2 of one (4 s).
public struct DVDFixture: Sendable {
    /// The image, and the folder above VIDEO_TS.
    public let image, folder: String
    /// The video objects before they were authored, in the order of the titles.
    public let objects: [String]

    /// Why tests are skipped where the programs are missing.
    public static let missing = "dvdauthor or genisoimage is not installed: scripts/setup.sh test"

    /// Whether the programs are there.
    public static let isPossible = ["dvdauthor", "spumux", "genisoimage", "ffmpeg"].allSatisfy { name in
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + name)
    }

    /// The disc; made once. Blocks.
    public static func made() throws -> DVDFixture { try disc.get() }

    private static let disc = Result { try make() }
    private static let version = "dvd-1"

    private static func make() throws -> DVDFixture {
        let target = try authored(version, script)
        return DVDFixture(
            image: target + "/disc.iso", folder: target + "/disc", objects: ["a2", "b1", "c"].map { "\(target)/\($0).vob" })
    }

    /// The folder in which a script has made `disc.iso`: by this call, or by an earlier one with the same version. Blocks.
    static func authored(_ version: String, _ script: String) throws -> String {
        let target = Fixtures.directory.appendingPathComponent(version).path
        if FileManager.default.fileExists(atPath: target + "/disc.iso") { return target }
        try FileManager.default.createDirectory(at: Fixtures.directory, withIntermediateDirectories: true)
        let draft = Fixtures.directory.appendingPathComponent("draft-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: true)
        try Data(script.utf8).write(to: URL(fileURLWithPath: draft + "/make.sh"))
        let result = try Fixtures.run("bash", [draft + "/make.sh", draft])
        guard result.status == 0 else {
            throw Fixtures.Failure(description: "no DVD: \(String(decoding: result.errors.suffix(400), as: UTF8.self))")
        }
        // Another process may have been quicker.
        if rename(draft, target) != 0, !FileManager.default.fileExists(atPath: target + "/disc.iso") {
            throw Fixtures.Failure(description: "cannot move \(target) into place")
        }
        return target
    }

    private static let script = """
        set -e
        cd "$1"
        object() {
            ffmpeg -nostdin -y -v error -f lavfi -i "testsrc2=s=352x288:r=25:d=$2" -f lavfi -i "sine=f=$3:r=48000:d=$2" \
                -f lavfi -i "sine=f=$((3 * $3)):r=48000:d=$2" -map 0:v -map 1:a -map 2:a -c:v mpeg2video -g 12 -bf 2 -b:v 800k \
                -maxrate 2000k -bufsize 1835008 -flags +cgop -sc_threshold 1000000000 -c:a ac3 -b:a 192k -ac 2 -f dvd \
                -muxrate 10080000 -packetsize 2048 -muxpreload 0.5 $1.vob
        }
        object a 6 440; object b 5 660; object c 4 880
        ffmpeg -nostdin -y -v error -f lavfi -i "color=c=red:s=150x40,format=rgba,pad=w=352:h=288:x=100:y=200:color=black@0.0" \
            -frames:v 1 red.png
        echo '<subpictures><stream><spu start="00:00:01.00" end="00:00:03.00" image="red.png"/></stream></subpictures>' > spu.xml
        export VIDEO_FORMAT=PAL
        spumux -s0 spu.xml < a.vob > a1.vob 2> /dev/null
        spumux -s1 spu.xml < a1.vob > a2.vob 2> /dev/null
        spumux -s0 spu.xml < b.vob > b1.vob 2> /dev/null
        cat > disc.xml <<END
        <dvdauthor dest="disc" jumppad="0"><vmgm/><titleset><titles><video format="pal" aspect="4:3"/>
        <audio lang="de"/><audio lang="en" content="comments1"/><subpicture lang="fr"/><subpicture lang="es"/>
        <pgc><vob file="a2.vob" chapters="0,2"/><vob file="b1.vob" chapters="0,3"/></pgc>
        <pgc><vob file="c.vob" chapters="0"/></pgc></titles></titleset></dvdauthor>
        END
        dvdauthor -x disc.xml > /dev/null 2> author.log
        genisoimage -quiet -dvd-video -o disc.iso disc
        """
}
