#!/bin/sh
# Proves the packages of `make deb` and `make tarball`: lintian, the same bytes twice, what is in them, install, upgrade and remove.
# BIN names the folder of the programs, by default .build/release. As root it installs into a folder of its own: one that debootstrap has
# filled where that is here and DEBOOTSTRAP=yes, else an empty one, where dpkg unpacks and removes without what it depends on.
#   scripts/test-deb.sh
# PREVIOUS: an older .deb, which is installed first and upgraded.
# ALLOWED_TAGS="tag ...": what lintian may say, as custom-library-search-path of programs of a debug build.
set -eu
cd "$(dirname "$0")/.."
export BIN="${BIN:-.build/release}"
# A commit meanwhile must not count.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "test-deb: $*" >&2; exit 1; }
say() { echo "test-deb: $*"; }

# ---- the same bytes, whatever the umask, the locale and the hour ----

(umask 077 && LC_ALL=C TZ=Asia/Tokyo scripts/package.sh deb "$work/one")
LC_ALL=C.UTF-8 scripts/package.sh deb "$work/two"
(umask 077 && scripts/package.sh tarball "$work/one")
scripts/package.sh tarball "$work/two"
for file in "$work"/one/*; do
    cmp "$file" "$work/two/$(basename "$file")" || fail "$(basename "$file") is not the same twice"
done
for folder in one two; do (cd "$work/$folder" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS is not true"; done
[ "$(wc -l < "$work/one/SHA256SUMS")" -eq 2 ] || fail "SHA256SUMS does not name both packages"
say "twice the same bytes"

# ---- the .deb ----

deb=$(ls "$work"/one/*.deb)
dpkg-deb -c "$deb" > "$work/list"
for file in bin/aether-tui bin/aetherctl libexec/aether-tui/aether-decoder share/man/man1/aether-tui.1.gz share/man/man1/aetherctl.1.gz \
    share/man/man5/aether-tui-config.5.gz share/aether-tui/themes/default.toml share/applications/aether-tui.desktop \
    share/metainfo/aether-tui.metainfo.xml share/icons/hicolor/scalable/apps/aether-tui.svg \
    share/icons/hicolor/symbolic/apps/aether-tui-symbolic.svg share/bash-completion/completions/aether-tui \
    share/locale/de/LC_MESSAGES/aether-tui.mo share/locale/fr/LC_MESSAGES/aether-tui.mo share/zsh/site-functions/_aetherctl share/fish/vendor_completions.d/aether-tui.fish share/doc/aether-tui/copyright \
    share/doc/aether-tui/changelog.gz share/doc/aether-tui/changelog.Debian.gz; do
    grep -q " ./usr/$file\$" "$work/list" || fail "the .deb has no /usr/$file"
done
awk '$2 != "root/root"' "$work/list" | grep . && fail "not root's"
for library in libavformat libavcodec libavfilter libass libdav1d libcurl libasound libncursesw libc6; do
    dpkg-deb -f "$deb" Depends | grep -q "$library" || fail "the .deb does not depend on $library"
done
if command -v lintian > /dev/null; then
    lintian --fail-on none "$deb" 2> "$work/lintian.log" | grep '^[EW]:' > "$work/tags" || :
    for tag in ${ALLOWED_TAGS:-}; do sed -i "/ $tag/d" "$work/tags"; done
    [ ! -s "$work/tags" ] || { cat "$work/tags" >&2; fail "lintian has found something"; }
    say "lintian finds no error and no warning"
fi
# What somebody downloads and keeps: each program by itself.
dpkg-deb -x "$deb" "$work/unpacked"
for program in bin/aether-tui bin/aetherctl libexec/aether-tui/aether-decoder; do
    size=$(stat -c %s "$work/unpacked/usr/$program")
    say "$program: $((size / 1000)) KB"
    [ -n "${ALLOWED_TAGS:-}" ] || [ "$size" -le 30000000 ] || fail "$program has more than 30 MB"
done
completions=$work/unpacked/usr/share/bash-completion/completions
for file in "$completions"/*; do bash -n "$file" || fail "bash does not read $file"; done
! command -v zsh > /dev/null || for file in "$work"/unpacked/usr/share/zsh/site-functions/*; do zsh -n "$file" || fail "zsh does not read $file"; done
! command -v fish > /dev/null || for file in "$work"/unpacked/usr/share/fish/vendor_completions.d/*; do fish -n "$file" || fail "fish does not read $file"; done
if command -v desktop-file-validate > /dev/null; then
    desktop-file-validate share/aether-tui.desktop > "$work/desktop" 2>&1 || { cat "$work/desktop"; fail "the desktop entry"; }
    say "the desktop entry is valid"
fi
if command -v appstreamcli > /dev/null; then
    appstreamcli validate --no-net share/aether-tui.metainfo.xml > "$work/appstream" || { cat "$work/appstream"; fail "AppStream's data"; }
    say "AppStream's data are valid"
fi
clip=$work/clip.mkv
scripts/demo-clip.sh demo/demo.mkv
cp demo/demo.mkv "$clip"
# COMMAND...: frames of the clip, each with its hash, by aetherctl in the box.
plays() { "$@" play --sandbox --untimed --audio none --sink hash --until 2 --size 160x90 "$played" > "$work/frames" 2> "$work/said" ||
    { cat "$work/said"; fail "it does not play in its box"; }
    [ "$(wc -l < "$work/frames")" -ge 40 ] || { cat "$work/said"; fail "it plays $(wc -l < "$work/frames") frames of 2 seconds"; }; }

# ---- install, upgrade, remove ----

if [ "$(id -u)" -ne 0 ]; then
    say "no root here: neither installed nor removed"
else
    root=$work/root
    REVISION=0local2 scripts/package.sh deb "$work/newer"
    newer=$(ls "$work"/newer/*.deb)
    if [ "${DEBOOTSTRAP:-}" = yes ] && command -v debootstrap > /dev/null; then
        debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" > "$work/debootstrap.log" 2>&1 ||
            { tail -n 5 "$work/debootstrap.log"; fail "debootstrap"; }
        cp "$deb" "$newer" ${PREVIOUS:+"$PREVIOUS"} "$clip" "$root/tmp/"
        # Programs of a test build find Swift's libraries where the toolchain is; those of a release bring them.
        for folder in $(readelf -d "$BIN/aether-tui" | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/\2/p' | tr : ' '); do
            case $folder in /*) mkdir -p "$root$folder" && cp -a "$folder"/*.so "$root$folder/" ;; esac
        done
        # The kernel's file systems are there for as long as the command is, and for it alone.
        in_root() { ROOT=$root unshare --mount --pid --fork --kill-child sh -euc 'mount --make-rprivate /
            mount -t proc proc "$ROOT/proc"
            mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
            mknod -m 666 "$ROOT/dev/null" c 1 3
            mknod -m 666 "$ROOT/dev/zero" c 1 5
            mknod -m 666 "$ROOT/dev/urandom" c 1 9
            mknod -m 666 "$ROOT/dev/random" c 1 8
            mkdir -m 1777 "$ROOT/dev/shm"
            ln -s /proc/self/fd "$ROOT/dev/fd"
            exec chroot "$ROOT" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"' in-root "$@"; }
        in_root apt-get update -q > "$work/apt.log" 2>&1
        if [ -n "${PREVIOUS:-}" ]; then
            in_root apt-get install -y -q --no-install-recommends "/tmp/$(basename "$PREVIOUS")" >> "$work/apt.log" 2>&1 ||
                { tail -n 20 "$work/apt.log"; fail "$PREVIOUS does not install"; }
        fi
        in_root apt-get install -y -q --no-install-recommends "/tmp/$(basename "$deb")" >> "$work/apt.log" 2>&1 ||
            { tail -n 20 "$work/apt.log"; fail "it does not install"; }
        in_root aether-tui --version
        played=/tmp/clip.mkv
        plays in_root aetherctl
        in_root apt-get install -y -q "/tmp/$(basename "$newer")" >> "$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log"; fail "no upgrade"; }
        in_root aetherctl --help > /dev/null
        in_root apt-get purge -y -q aether-tui >> "$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log"; fail "it does not go"; }
    else
        mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/usr"
        : > "$root/var/lib/dpkg/status"
        in_dpkg() { dpkg --root="$root" --force-depends --force-script-chrootless --log="$work/dpkg.log" "$@" > "$work/dpkg.out" 2>&1 ||
            { cat "$work/dpkg.out"; fail "dpkg $*"; }; }
        [ -z "${PREVIOUS:-}" ] || in_dpkg -i "$PREVIOUS"
        in_dpkg -i "$deb"
        (cd "$root" && md5sum --quiet -c var/lib/dpkg/info/aether-tui.md5sums) || fail "files are not as they were packed"
        in_dpkg -i "$newer"
        [ "$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${Version} ${Status}' aether-tui)" = \
            "$(dpkg-deb -f "$newer" Version) install ok installed" ] || fail "no upgrade"
        in_dpkg -P aether-tui
    fi
    left=$(find "$root" -path '*/usr/*' -name '*aether*' | head -n 5)
    [ -z "$left" ] || fail "what is left behind: $left"
    say "installs, upgrades and is removed"
fi

# ---- the tarball, unpacked anywhere ----

mkdir "$work/any where"
tar -xJf "$work"/one/*.tar.xz -C "$work/any where"
top=$(ls -d "$work/any where"/aether-tui-*)
"$top/bin/aether-tui" --version > /dev/null || fail "the unpacked program does not start"
for program in aether-decoder $([ ! -x "$BIN/aether-share" ] || echo aether-share); do
    [ -x "$top/libexec/aether-tui/$program" ] || fail "no $program beside the unpacked programs"
done
played=$clip
plays "$top/bin/aetherctl"
# Without its other half there is no box: what has played was the one beside it.
mv "$top/libexec/aether-tui/aether-decoder" "$work/aside"
if "$top/bin/aetherctl" play --sandbox --untimed --audio none --sink hash --until 1 "$clip" > "$work/frames" 2>&1; then fail "a box without its program plays"; fi
mv "$work/aside" "$top/libexec/aether-tui/aether-decoder"
[ -s "$top/share/aether-tui/themes/default.toml" ] || fail "no themes beside the unpacked program"
# A theme's name that only the folder beside the program knows.
cp "$top/share/aether-tui/themes/fjord.toml" "$top/share/aether-tui/themes/beside.toml"
HOME=$work "$top/bin/aether-tui" --theme beside --no-history /nonexistent 2> "$work/said" || :
grep -qi theme "$work/said" && { cat "$work/said"; fail "themes are not found beside the program"; }
HOME=$work "$top/bin/aether-tui" --theme nowhere --no-history /nonexistent 2> "$work/said" || :
grep -qi 'theme\|nowhere' "$work/said" || { cat "$work/said"; fail "a theme that is nowhere is not noticed: the test says nothing"; }
say "unpacked anywhere it runs, with its themes, and plays in its box"
say "all passed"
