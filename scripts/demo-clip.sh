#!/bin/sh
# Makes the demo clip from FFmpeg's own sources: no foreign material, about 30 s, under 4 MB, under a minute on 2 cores.
#   scripts/demo-clip.sh [OUT]      default demo/demo.mkv
# The clip is kept as long as this recipe does not change (its checksum lies beside it).
set -eu

out=${1:-"$(dirname "$0")/../demo/demo.mkv"}
recipe=$(sha256sum < "$0" | cut -d' ' -f1)
if [ -s "$out" ] && [ "$(cat "$out.recipe" 2>/dev/null || :)" = "$recipe" ]; then exit 0; fi

fonts=${FONTS:-/usr/share/fonts/truetype/dejavu}
for needed in DejaVuSans.ttf DejaVuSans-Bold.ttf DejaVuSansMono-Bold.ttf; do
    [ -r "$fonts/$needed" ] || { echo "demo-clip: $fonts/$needed is missing (Debian: fonts-dejavu-core)" >&2; exit 1; }
done
sans="fontfile=$fonts/DejaVuSans.ttf"
bold="fontfile=$fonts/DejaVuSans-Bold.ttf"
mono="fontfile=$fonts/DejaVuSansMono-Bold.ttf"

mkdir -p "$(dirname "$out")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
echo "demo-clip: making $out (half a minute, once)" >&2

cat > "$work/en.srt" <<'SRT'
1
00:00:00,800 --> 00:00:04,300
This clip was made by FFmpeg alone:
every picture and tone is computed.

2
00:00:05,200 --> 00:00:09,300
A fall into the Mandelbrot set: many colours, fine edges.

3
00:00:10,000 --> 00:00:14,200
Conway's Game of Life.
A living cell is green, a dying one fades.

4
00:00:15,000 --> 00:00:19,200
Rule 110, one line of cells per frame:
everything moves, nothing repeats.

5
00:00:19,800 --> 00:00:21,800
Watch and listen: at 22 seconds ...

6
00:00:22,000 --> 00:00:24,000
... the flash and the beep coincide.

7
00:00:24,700 --> 00:00:29,500
Press <i>#</i> for the other sound track
and <i>j</i> for German subtitles.
SRT

cat > "$work/de.ass" <<'ASS'
[Script Info]
ScriptType: v4.00+
PlayResX: 960
PlayResY: 540
WrapStyle: 0
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Text,DejaVu Sans,34,&H00FFFFFF,&H000000FF,&H00201008,&H80000000,0,0,0,0,100,100,0,0,1,2.5,1,2,40,40,34,1
Style: Hinweis,DejaVu Sans,30,&H0080E8FF,&H000000FF,&H00201008,&H80000000,1,0,0,0,100,100,0,0,1,2.5,1,8,40,40,60,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.80,0:00:04.30,Text,,0,0,0,,{\fad(300,300)}Dieser Film kommt allein aus FFmpeg:\Njedes Bild und jeder Ton ist gerechnet.
Dialogue: 0,0:00:05.20,0:00:09.30,Text,,0,0,0,,Ein Sturz in die {\c&H00A0FF&\b1}Mandelbrot-Menge{\r}.
Dialogue: 0,0:00:10.00,0:00:14.20,Text,,0,0,0,,Conways {\i1}Spiel des Lebens{\i0}:\Nwas lebt, ist {\c&H60FF60&}grün{\r}, was stirbt, verblasst.
Dialogue: 0,0:00:15.00,0:00:19.20,Text,,0,0,0,,Regel 110, eine Zeile je Bild:\Nalles bewegt sich, nichts wiederholt sich.
Dialogue: 0,0:00:19.80,0:00:21.80,Text,,0,0,0,,Hinsehen und hinhören: bei 22 Sekunden ...
Dialogue: 1,0:00:22.00,0:00:24.00,Hinweis,,0,0,0,,{\fscx120\fscy120\t(0,400,\fscx100\fscy100)}Blitz und Ton zugleich
Dialogue: 0,0:00:24.70,0:00:29.50,Text,,0,0,0,,{\fad(300,600)}Mit # wechselt die Tonspur, mit j die Untertitelspur.
ASS

{
    printf ';FFMETADATA1\ntitle=aether-tui demo\nartist=FFmpeg sources, composed by scripts/demo-clip.sh\n'
    printf 'comment=Computed pictures and tones. Flash and beep at 22 s.\n'
    previous=0
    while read -r end name; do
        printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=%s\nEND=%s\ntitle=%s\n' "$previous" "$end" "$name"
        previous=$end
    done <<'CHAPTERS'
4875 Title
9750 Mandelbrot
14625 Game of Life
19500 Rule 110
24375 Flash and beep
30000 Plasma
CHAPTERS
} > "$work/chapters.txt"

# The AAC encoder puts 1024 samples in front of what it gets, Opus 312: as many are cut, so that the file starts at 0.
# Six scenes of 5.625 s (135 frames) overlap by 0.75 s: 30 s, a new scene every 4.875 s.
shade="shadowcolor=0x000000AA:shadowx=3:shadowy=3"
clock="drawtext=$mono:text='%{pts\\:hms}':fontsize=24:fontcolor=white:box=1:boxcolor=0x00000080:boxborderw=7:x=w-tw-24:y=24"
wave='0.5+0.5*sin'
p1="$wave(X/19+T*1.7)+$wave(Y/15-T*1.3)+$wave((X+Y)/27+T)+$wave(hypot(X-120+70*sin(T*0.9)\\,Y-68+40*cos(T*0.7))/11)"

ffmpeg -v error -y -f lavfi -i "gradients=s=480x480:nb_colors=4:c0=0x10204A:c1=0x1E5FAF:c2=0x8C3F8F:c3=0xE0663C:x0=0:y0=0:x1=480:y1=480:d=1" \
    -vf "drawtext=$bold:text=aether:fontsize=104:fontcolor=white:$shade:x=(w-tw)/2:y=150,drawtext=$sans:text='a demo clip':fontsize=44:fontcolor=white:$shade:x=(w-tw)/2:y=280" \
    -frames:v 1 -q:v 4 -bitexact "$work/cover.jpg"

filter="
[0:v]drawtext=$bold:text='aether-tui':fontsize=110:fontcolor=white:$shade:x=(w-tw)/2:y=150:alpha='min(1,t*1.2)',
     drawtext=$sans:text='films in a terminal':fontsize=44:fontcolor=0xFFE9B8:$shade:x=(w-tw)/2:y=286:alpha='clip(t-0.7,0,1)',format=yuv420p,setsar=1[s0];
[1:v]gblur=sigma=0.6,scale=960:540:flags=bicubic,format=yuv420p,setsar=1[s1];
[2:v]scale=960:540:flags=neighbor,gblur=sigma=2.2,format=yuv420p,setsar=1[s2];
[3:v]scale=960:540:flags=neighbor,format=gray,format=gbrp,
     geq=r='r(X,Y)*(0.16+0.84*X/W)':g='g(X,Y)*(0.25+0.55*Y/H)':b='b(X,Y)*(0.95-0.7*X/W)',gblur=sigma=0.8,format=yuv420p,setsar=1[s3];
[4:v]format=yuv420p,setsar=1[s4];
[5:v]format=gbrp,geq=r='255*pow(0.5+0.5*sin(1.5*($p1)),1.2)':g='230*pow(0.5+0.5*sin(1.5*($p1)+2.1),1.6)':b='255*(0.5+0.5*sin(1.5*($p1)+4.2))',
     scale=960:540:flags=bicubic,format=yuv420p,
     drawtext=$sans:text='nothing here was filmed':fontsize=40:fontcolor=white:$shade:x=(w-tw)/2:y=230,setsar=1[s5];
[s0][s1]xfade=fade:duration=0.75:offset=4.875[x1];
[x1][s2]xfade=circleopen:duration=0.75:offset=9.75[x2];
[x2][s3]xfade=wipeleft:duration=0.75:offset=14.625[x3];
[x3][s4]xfade=slideup:duration=0.75:offset=19.5[x4];
[x4][s5]xfade=fade:duration=0.75:offset=24.375,
    drawbox=c=white:t=fill:enable='between(t,21.99,22.20)',$clock,
    fade=out:st=29.25:d=0.75,format=yuv420p,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv[v];
[6:a]atrim=start_sample=1024[a];[7:a]atrim=start_sample=312[a2]"

# English: four slow chords. German: a quick arpeggio, a third higher. Both fall silent around the beep at 22 s.
hush="(1-between(t\\,21.4\\,22.8))*min(1\\,t)*clip(30-t\\,0\\,1)"
beep="0.5*between(t\\,22\\,22.2)*sin(2*PI*1000*t)"
root="st(0\\,mod(floor(t/2.5)\\,4))\\;st(1\\,if(eq(ld(0)\\,0)\\,220\\,if(eq(ld(0)\\,1)\\,174.614\\,if(eq(ld(0)\\,2)\\,261.626\\,195.998))))\\;st(2\\,if(eq(ld(0)\\,0)\\,1.2\\,1.25992))"
swell="(0.55+0.45*sin(PI*mod(t\\,2.5)/2.5))"
chord() { printf '%s' "$root\\;0.11*$hush*$swell*(sin(PI*ld(1)*t)+sin(2*PI*ld(1)*t+$1)+0.8*sin(2*PI*ld(1)*ld(2)*t)+0.7*sin(2*PI*ld(1)*1.49831*t+$1)+0.25*sin(4*PI*ld(1)*t))+$beep"; }
step="st(3\\,mod(floor(t*4)\\,6))\\;st(4\\,1.25992*if(eq(ld(3)\\,0)\\,1\\,if(eq(ld(3)\\,1)\\,ld(2)\\,if(eq(ld(3)\\,2)\\,1.49831\\,if(eq(ld(3)\\,3)\\,2\\,if(eq(ld(3)\\,4)\\,1.49831\\,ld(2)))))))"
arpeggio() { printf '%s' "$root\\;$step\\;0.24*$hush*exp(-5*mod(t\\,0.25))*min(1\\,mod(t\\,0.25)*200)*(sin(2*PI*ld(1)*ld(4)*t)+0.35*sin(4*PI*ld(1)*ld(4)*t)+0.15*sin(6*PI*ld(1)*ld(4)*t+$1))+$beep"; }

ffmpeg -v error -y -nostdin \
    -f lavfi -i "gradients=s=960x540:r=24:nb_colors=4:c0=0x10204A:c1=0x1E5FAF:c2=0x8C3F8F:c3=0xE0663C:x0=0:y0=0:x1=960:y1=540:speed=0.012:d=5.625" \
    -f lavfi -t 5.625 -i "mandelbrot=s=640x360:r=24:start_x=-0.7453:start_y=0.1127:start_scale=0.03:end_scale=0.0002:end_pts=135:maxiter=500:inner=black" \
    -f lavfi -t 5.625 -i "life=s=160x90:r=12:mold=12:ratio=0.16:random_seed=2024:death_color=0x701830:life_color=0x70FF90:mold_color=0x101440,fps=24" \
    -f lavfi -t 5.625 -i "cellauto=s=240x135:r=24:rule=110:random_seed=5:random_fill_ratio=0.3:scroll=1" \
    -f lavfi -t 5.625 -i "testsrc2=s=960x540:r=24" \
    -f lavfi -t 5.625 -i "color=black:s=240x135:r=24" \
    -f lavfi -t 30 -i "aevalsrc=exprs=$(chord 0)|$(chord 0.8):s=48000" \
    -f lavfi -t 30 -i "aevalsrc=exprs=$(arpeggio 0)|$(arpeggio 1.3):s=48000" \
    -i "$work/en.srt" -i "$work/de.ass" -i "$work/chapters.txt" \
    -filter_complex "$filter" -map '[v]' -map '[a]' -map '[a2]' -map 8:s -map 9:s -map_metadata 10 -map_chapters 10 \
    -c:v libx264 -preset medium -crf 28.5 -maxrate 1500k -bufsize 3000k -bf 3 -g 48 -keyint_min 48 -sc_threshold 0 -pix_fmt yuv420p \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv \
    -c:a:0 aac -b:a:0 96k -c:a:1 libopus -b:a:1 72k -c:s:0 srt -c:s:1 ass \
    -metadata:s:v:0 title='Computed pictures' -metadata:s:a:0 language=eng -metadata:s:a:0 title='Chords' \
    -metadata:s:a:1 language=deu -metadata:s:a:1 title='Arpeggio' \
    -metadata:s:s:0 language=eng -metadata:s:s:0 title='English' -metadata:s:s:1 language=deu -metadata:s:s:1 title='Deutsch' \
    -disposition:a:0 default -disposition:a:1 0 -disposition:s:0 default -disposition:s:1 0 \
    -attach "$work/cover.jpg" -metadata:s:t:0 mimetype=image/jpeg -metadata:s:t:0 filename=cover.jpg \
    -frames:v 720 -flags:v +bitexact -flags:a +bitexact -fflags +bitexact "$work/demo.mkv"

mv "$work/demo.mkv" "$out"
echo "$recipe" > "$out.recipe"
