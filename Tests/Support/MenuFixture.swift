/// A DVD with menus, made when a test first asks for it. The manager's menu in English has three buttons over a frame that stands (title 1, title 2,
/// submenu), in German two; its submenu moves, goes round, and has two buttons (back, title 2). The title set's root menu stands: on, on with the
/// second audio track, the manager's menu. Title 1 is 6 s long, with chapters at 0 and 2 s and audio in English and French, and leads back to the
/// manager's menu; title 2 is 2 s long, and leads to the root menu.
public struct MenuFixture: Sendable {
    /// The image, and the folder above VIDEO_TS.
    public let image, folder: String

    /// The disc; made once. Blocks.
    public static func made() throws -> MenuFixture { try disc.get() }

    /// The left and top edge of a button in a frame of 720×576; each is 200 pixels wide and 40 high.
    public static func place(ofButton number: Int) -> (x: Int, y: Int) { (100, 100 + 100 * (number - 1)) }

    private static let disc = Result { try make() }
    private static let version = "dvd-menus-1"

    private static func make() throws -> MenuFixture {
        let target = try DVDFixture.authored(version, script)
        return MenuFixture(image: target + "/disc.iso", folder: target + "/disc")
    }

    private static let script = """
        set -e
        cd "$1"
        object() {
            ffmpeg -nostdin -y -v error -f lavfi -i "color=$4:s=720x576:r=25:d=$2" -f lavfi -i "sine=f=$3:r=48000:d=$2" \
                -f lavfi -i "sine=f=$((2 * $3)):r=48000:d=$2" -map 0:v -map 1:a -map 2:a -c:v mpeg2video -g 12 -b:v 800k \
                -maxrate 2000k -bufsize 1835008 -aspect 4:3 -flags +cgop -sc_threshold 1000000000 -c:a ac3 -b:a 192k -ac 2 \
                -f dvd -muxrate 10080000 -packetsize 2048 -muxpreload 0.5 $1.vob
        }
        object still 1 440 navy; object moving 2 330 green; object a 6 550 gray; object b 2 660 teal
        buttons() {
            ffmpeg -nostdin -y -v error -f lavfi -i "color=black@0:s=720x576:r=1,format=rgba" \
                -f lavfi -i "color=$2:s=200x40:r=1,format=rgba" -filter_complex \
                "[1]split=3[x][y][z];[0][x]overlay=100:100:format=rgb[p];[p][y]overlay=100:200:format=rgb[q];\\
        [q][z]overlay=100:300:format=rgb,format=rgba" -frames:v 1 $1.png
        }
        buttons base white; buttons selected red; buttons chosen yellow
        export VIDEO_FORMAT=PAL
        menu() {
            {
                echo '<subpictures><stream><spu start="00:00:00.00" force="yes" image="base.png" highlight="selected.png"'
                echo ' select="chosen.png">'
                for n in $(seq $3); do
                    echo "<button name=\\"$n\\" x0=\\"100\\" y0=\\"$((100 * n))\\" x1=\\"300\\" y1=\\"$((100 * n + 40))\\""
                    echo " up=\\"$(((n + $3 - 2) % $3 + 1))\\" down=\\"$((n % $3 + 1))\\"/>"
                done
                echo '</spu></stream></subpictures>'
            } > $2.xml
            spumux -s0 $2.xml < $1.vob > $2.vob 2> $2.log
        }
        menu still three 3; menu still two 2; menu moving two-moving 2
        cat > disc.xml <<END
        <dvdauthor dest="disc" jumppad="0"><vmgm><fpc>jump menu entry title;</fpc>
        <menus lang="en"><video format="pal"/>
        <pgc entry="title"><pre>g2 = 3;</pre><button name="1">jump title 1;</button><button name="2">jump title 2;</button>
        <button name="3">jump menu 2;</button><vob file="three.vob" pause="inf"/></pgc>
        <pgc><button name="1">jump menu 1;</button><button name="2">jump title 2;</button><vob file="two-moving.vob"/>
        <post>jump menu 2;</post></pgc></menus>
        <menus lang="de"><video format="pal"/>
        <pgc entry="title"><button name="1">jump title 1;</button><button name="2">jump title 2;</button>
        <vob file="two.vob" pause="inf"/></pgc><pgc><vob file="moving.vob"/></pgc></menus></vmgm>
        <titleset><menus lang="en"><video format="pal"/>
        <pgc entry="root" pause="inf"><button name="1">resume;</button><button name="2">{ audio = 1; resume; }</button>
        <button name="3">jump vmgm menu entry title;</button><vob file="three.vob"/></pgc></menus>
        <titles><video format="pal"/><audio lang="en"/><audio lang="fr"/>
        <pgc><vob file="a.vob" chapters="0,2"/><post>call vmgm menu entry title;</post></pgc>
        <pgc><vob file="b.vob"/><post>call menu entry root;</post></pgc></titles></titleset></dvdauthor>
        END
        dvdauthor -x disc.xml > /dev/null 2> author.log
        genisoimage -quiet -dvd-video -o disc.iso disc
        """
}
