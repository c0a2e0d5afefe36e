#!/bin/sh
# Makes a package of the built programs: `make deb`, `make tarball`.
#   scripts/package.sh deb|tarball [FOLDER]     into FOLDER, by default dist
#
# BIN: the folder of the programs, by default .build/release. SOURCE_DATE_EPOCH: the time of all files, by default that of the last
# commit. MAINTAINER: "Name <address>", by default git's. REVISION: of the .deb. The same programs make the same bytes: names are sorted, owners are 0, times
# and permissions are fixed, one thread compresses.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-} out=${2:-dist}
say() { printf 'package: %s\n' "$*" >&2; }
case $kind in
deb | tarball) ;;
*) echo "usage: scripts/package.sh deb|tarball [FOLDER]" >&2; exit 64 ;;
esac

BIN=${BIN:-.build/release}
for program in aether-tui aetherctl aether-decoder; do
    [ -x "$BIN/$program" ] || { say "$BIN/$program is missing: make build"; exit 1; }
done
# The optional programs of shares and of discs in drives come along where they were built.
optional=
for program in aether-share aether-disc; do [ ! -x "$BIN/$program" ] || optional="$optional $program"; done
version=$(sed -n 's/.*static let text = "\([0-9.]*\)".*/\1/p' Sources/AetherUI/Text/ProgramVersion.swift)
[ -n "$version" ] || { say "no version in Sources/AetherUI/Text/ProgramVersion.swift"; exit 1; }
# Outside git, as in an unpacked source, the changelog is as old as the release.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC0
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# PREFIX of the files in $work/root.
stage() { ${MAKE:-make} -s --no-print-directory install BIN="$BIN" PREFIX="$1" DESTDIR="$work/root" > "$work/install.log" 2>&1 ||
    { cat "$work/install.log" >&2; exit 1; }; }
# Times and permissions that depend on nothing: neither on this machine's clock nor on its umask.
settle() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}
# Checked by `sha256sum -c SHA256SUMS` in the folder.
sums() { (cd "$out" && rm -f SHA256SUMS && sha256sum -- aether-tui[-_]* > "$work/sums" && cp "$work/sums" SHA256SUMS); }

make_tarball() {
    name=$version
    # The libraries are the distribution's: another one has other versions of FFmpeg's.
    distribution=$(. /etc/os-release 2> /dev/null && printf '%s%s' "${ID:-linux}" "${VERSION_ID:-}" || echo linux)
    top=aether-tui-$name-$distribution-$(uname -m)
    stage "/$top"
    install -m 644 README.md CHANGELOG.md LICENSE COPYING "$work/root/$top/"
    [ ! -e SECURITY.md ] || install -m 644 SECURITY.md "$work/root/$top/"
    install -m 644 share/debian/copyright "$work/root/$top/COPYRIGHT"
    # Programs that ask for libraries which are missing say so themselves; this says what they are.
    {
        echo "aether-tui $version, for $distribution ($(uname -m))."
        echo
        echo "Unpack it anywhere and start bin/aether-tui; themes are found beside it, in share/. Man pages:"
        echo "man -M share/man aether-tui. What is missing on a machine is told by: bin/aetherctl doctor."
        echo
        echo "It needs these libraries of the system:"
        for program in aether-tui aetherctl aether-decoder $optional; do objdump -p "$BIN/$program" | sed -n 's/^ *NEEDED *//p'; done | grep -v '^libswift\|^lib_\?Foundation' | sort -u | sed 's/^/    /'
    } > "$work/root/$top/INSTALL"
    chmod 644 "$work/root/$top/INSTALL"
    settle "$work/root/$top"
    tar -C "$work/root" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -cf "$work/tar" "$top"
    xz -T1 -6 -c "$work/tar" > "$work/tar.xz"
    mkdir -p "$out"
    cp "$work/tar.xz" "$out/$top.tar.xz"
    made=$out/$top.tar.xz
}

# The newest version of CHANGELOG.md in the form of Debian's; the file itself comes along. Its entries are one line each.
debian_changelog() {
    awk -v maintainer="$maintainer" -v revision="$revision" -v date="$(date -u -R -d "@$SOURCE_DATE_EPOCH")" '
        function fold_line(text,   words, count, i, line) {
            count = split(text, words, " "); line = "  *"
            for (i = 1; i <= count; i++) {
                if (length(line) + length(words[i]) + 1 > 78) { print line; line = "   " }
                line = line " " words[i]
            }
            print line
        }
        /^## \[[0-9]/ {
            if (open) exit
            version = $2; gsub(/[][]/, "", version)
            printf "aether-tui (%s-%s) stable; urgency=medium\n", version, revision; open = 1; next
        }
        /^### / && open { printf "\n  [ %s ]\n", $2; next }
        /^- / && open { gsub(/`/, "\047"); fold_line(substr($0, 3)) }
        END { printf "\n -- %s  %s\n", maintainer, date }' CHANGELOG.md
}

make_deb() {
    for tool in dpkg-deb dpkg-shlibdeps; do
        command -v "$tool" > /dev/null || { say "$tool is missing: sudo apt-get install dpkg-dev"; exit 1; }
    done
    architecture=$(dpkg --print-architecture)
    # Older than what a distribution itself would bring (-1).
    revision=${REVISION:-0local1}
    maintainer=${MAINTAINER:-$(git config user.name 2> /dev/null || echo aether-tui) <$(git config user.email 2> /dev/null || echo root@localhost)>}
    root=$work/root
    stage /usr
    doc=$root/usr/share/doc/aether-tui
    install -d "$doc" "$root/DEBIAN"
    install -m 644 share/debian/copyright "$doc/copyright"
    debian_changelog | gzip -9n > "$doc/changelog.Debian.gz"
    gzip -9nc CHANGELOG.md > "$doc/changelog.gz"
    find "$root/usr/share/man" -name '*.[1-9]' -exec gzip -9n {} +
    # The libraries by what the programs name, and libavfilter, which they load when they first need it.
    mkdir -p "$work/source/debian"
    printf 'Source: aether-tui\n\nPackage: aether-tui\nArchitecture: any\n' > "$work/source/debian/control"
    # Those of shares bring half of Samba, and not every machine has a drive: a person may do without.
    recommended=
    for program in $optional; do recommended="$recommended -dRecommends $root/usr/libexec/aether-tui/$program"; done
    # shellcheck disable=SC2086
    libraries=$(cd "$work/source" && dpkg-shlibdeps ${SHLIBDEPS_OPTIONS:-} -O -dDepends "$root/usr/bin/aether-tui" "$root/usr/bin/aetherctl" "$root/usr/libexec/aether-tui/aether-decoder" $recommended 2> "$work/shlibdeps.log") ||
        { cat "$work/shlibdeps.log" >&2; exit 1; }
    depends=$(printf '%s\n' "$libraries" | sed -n 's/^shlibs:Depends=//p')
    optional_libraries=$(printf '%s\n' "$libraries" | sed -n 's/^shlibs:Recommends=//p')
    filters=$(dpkg-query -S '*/libavfilter.so.*' 2> /dev/null | sed -n 's/^\(libavfilter[0-9]*\):.*/\1/p' | sort -u | tail -n 1)
    [ -z "$filters" ] || depends="$depends, $filters"
    installed=$(find "$root/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
    {
        echo "Package: aether-tui"
        echo "Version: $version-$revision"
        echo "Section: video"
        echo "Priority: optional"
        echo "Architecture: $architecture"
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $installed"
        echo "Depends: $depends"
        echo "Recommends: fonts-dejavu-core | fonts-liberation, libasound2-plugins${optional_libraries:+, $optional_libraries}"
        # python3: for the scripts, of which none runs unasked.
        echo "Suggests: tesseract-ocr, yt-dlp, python3"
        echo "Description: media player for the terminal"
        cat << 'EOF'
 aether-tui plays video with audio in sync, subtitles, chapters and a transport
 bar in the terminal window that you are in, over SSH too. It shows pixels
 where the terminal can (kitty graphics, sixel, iTerm2 images) and blocks of
 two to eight points a cell where it cannot.
 .
 It plays every container and codec that FFmpeg reads, HLS and DASH that adapt
 to window, machine and link, HDR and Dolby Vision, all common subtitle
 formats; it resumes files where they were left, speaks MPRIS and takes a
 remote control.
 .
 aetherctl runs each stage of it alone; its doctor says what a machine lacks.
EOF
    } > "$root/DEBIAN/control"
    chmod 644 "$root/DEBIAN/control"
    (cd "$root" && find usr -type f | sort | xargs -d '\n' md5sum) > "$root/DEBIAN/md5sums"
    settle "$root"
    mkdir -p "$out"
    made=$out/aether-tui_$version-${revision}_$architecture.deb
    DPKG_DEB_THREADS_MAX=1 dpkg-deb -Zxz --root-owner-group --build "$root" "$made" > "$work/build.log" ||
        { cat "$work/build.log" >&2; exit 1; }
}

make_"$kind"
sums
say "$made, $(($(stat -c %s "$made") / 1024)) KB"
