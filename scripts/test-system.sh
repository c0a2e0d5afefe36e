#!/bin/sh
# Builds and tests on another system, in a folder that debootstrap fills: its FFmpeg, ncurses and glibc on a machine that has others.
#   scripts/test-system.sh SYSTEM [unit]        set-up, build with testing enabled, the unit tests, and the frames beside this machine's FFmpeg
#   scripts/test-system.sh SYSTEM test          the same with all other tests: what `make test` does, there
#   scripts/test-system.sh SYSTEM frames        the frames alone: programs of this machine in BIN (.build-test/release), those of SYSTEM as built before
#   scripts/test-system.sh SYSTEM deb [FOLDER]  release programs and their .deb, into FOLDER (dist-SYSTEM)
#   scripts/test-system.sh SYSTEM run COMMAND...   any command in the tree, there
# SYSTEM: debian13 (FFmpeg 7.1) or ubuntu2404 (FFmpeg 6.1).
#
# Everything lies in .build-SYSTEM: the system (root, 3 GB), builds, fixtures. The tree is seen through a mount of this script alone, with folders
# of its own for whatever is built; nothing stays mounted or running. Needs root, debootstrap and a Swift 6.2 or later that is here already.
# MIRROR: by default http://deb.debian.org/debian or http://archive.ubuntu.com/ubuntu.
set -eu
cd "$(dirname "$0")/.."
system=${1:-}
say() { echo "$system: $*"; }
fail() { echo "$system: $*" >&2; exit 1; }
usage() { echo "usage: scripts/test-system.sh debian13|ubuntu2404 [unit|test|frames|deb [FOLDER]|run COMMAND...]" >&2; exit 64; }
case $system in
debian13) suite=trixie mirror=${MIRROR:-http://deb.debian.org/debian} ;;
ubuntu2404) suite=noble mirror=${MIRROR:-http://archive.ubuntu.com/ubuntu} ;;
*) usage ;;
esac
shift
kind=${1:-unit}
case $kind in
unit | test | frames | deb | run) [ $# -eq 0 ] || shift ;;
*) usage ;;
esac
[ "$(id -u)" -eq 0 ] || fail "this needs root, to fill a folder with another system and to run programs in it: sudo make test-$system"
command -v debootstrap > /dev/null || fail "debootstrap is not here: apt-get install debootstrap"
PATH=$(scripts/swift-path.sh)
export PATH
swift=$(command -v swift || :)
[ -n "$swift" ] || fail "no Swift is here: scripts/setup.sh"

tree=$PWD
cache=$tree/.build-$system
root=$cache/root
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$swift")")")")
shared=$(cd "${AETHER_SHARED:-../shared}" 2> /dev/null && pwd || :)

# ---- the system, once ----

# The keys that sign Ubuntu's packages: of the package that this machine has, or of the one that Ubuntu's mirror gives, by its sum.
keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
keyring_file=ubuntu-keyring_2023.11.28.1_all.deb
keyring_sum=36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8
fetch_keyring() {
    [ ! -e "$keyring" ] || return 0
    curl -fsS -m 60 -o "$cache/$keyring_file" "$mirror/pool/main/u/ubuntu-keyring/$keyring_file" || fail "no keys of Ubuntu: apt-get install ubuntu-keyring"
    echo "$keyring_sum  $cache/$keyring_file" | sha256sum -c --quiet || fail "$keyring_file of $mirror is not Ubuntu's"
    dpkg-deb -x "$cache/$keyring_file" "$cache/keyring"
    keyring=$cache/keyring$keyring
}

if [ ! -e "$root/.complete" ]; then
    say "filling $root with $suite: some minutes, once"
    rm -rf "$root"
    mkdir -p "$root"
    options=
    recipe=/usr/share/debootstrap/scripts/$suite
    if [ "$suite" = noble ]; then
        fetch_keyring
        options="--components=main,universe --keyring=$keyring"
        # All of Ubuntu's systems are filled by one recipe; debootstrap of an older machine lacks the names of the newer ones.
        [ -e "$recipe" ] || recipe=/usr/share/debootstrap/scripts/gutsy
    fi
    # shellcheck disable=SC2086
    debootstrap --variant=minbase $options "$suite" "$root" "$mirror" "$recipe" > "$cache/debootstrap.log" 2>&1 ||
        { tail -n 5 "$cache/debootstrap.log" >&2; fail "debootstrap failed, see $cache/debootstrap.log"; }
    if [ "$suite" = noble ]; then
        for pocket in updates security; do echo "deb $mirror $suite-$pocket main universe" >> "$root/etc/apt/sources.list"; done
    fi
    # No package starts a server in there.
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    : > "$root/.complete"
fi

# ---- a command in the tree, seen from there ----

mkdir -p "$cache/.build" "$cache/.build-test" "$cache/demo" "$cache/Tests/Fixtures/cache" "$cache/home" "$cache/empty" .build .build-test demo \
    Tests/Fixtures/cache "$root/work/tree" "$root/work/shared" "$root/opt/swift"
inside() {
    SYSTEM=$system TREE=$tree CACHE=$cache ROOT=$root TOOLCHAIN=$toolchain SHARED=$shared unshare --mount --pid --ipc --fork --kill-child sh -euc '
        mount --make-rprivate /
        mount -t proc proc "$ROOT/proc"
        mount --rbind /sys "$ROOT/sys"
        # Devices of its own: what root does there to /dev/null, as a linker that is told to write there, is not done to the machine.
        mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
        mkdir "$ROOT/dev/pts" "$ROOT/dev/shm"
        while read -r name major minor; do mknod -m 666 "$ROOT/dev/$name" c "$major" "$minor"; done <<-LIST
	null 1 3
	zero 1 5
	full 1 7
	random 1 8
	urandom 1 9
	tty 5 0
	LIST
        ln -s /proc/self/fd "$ROOT/dev/fd"
        for number in 0 1 2; do ln -s "/proc/self/fd/$number" "$ROOT/dev/$(echo stdin stdout stderr | cut -d" " -f$((number + 1)))"; done
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$ROOT/dev/pts"
        ln -s pts/ptmx "$ROOT/dev/ptmx"
        mount -t tmpfs -o mode=1777 tmpfs "$ROOT/dev/shm"
        mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
        cp -L /etc/resolv.conf "$ROOT/etc/resolv.conf"
        mount --bind "$TREE" "$ROOT/work/tree"
        # Whatever is built there is not what is built here.
        for folder in .build .build-test demo Tests/Fixtures/cache; do mount --bind "$CACHE/$folder" "$ROOT/work/tree/$folder"; done
        mount --bind "$CACHE/empty" "$ROOT/work/tree/.build-$SYSTEM"
        mount --bind "$CACHE/home" "$ROOT/root"
        mount --bind "$TOOLCHAIN" "$ROOT/opt/swift"
        mount -o remount,bind,ro "$ROOT/opt/swift"
        if [ -n "$SHARED" ]; then
            mount --bind "$SHARED" "$ROOT/work/shared"
            mount -o remount,bind,ro "$ROOT/work/shared"
        fi
        # The authorities that this machine trusts, where its way to the network is another one.
        if [ -e /etc/ssl/certs/ca-certificates.crt ] && [ -e "$ROOT/etc/ssl/certs/ca-certificates.crt" ]; then
            mount --bind /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
        fi
        exec chroot "$ROOT" /usr/bin/env -C /work/tree "$@"
    ' inside -i HOME=/root USER=root LOGNAME=root LANG=C.UTF-8 TERM="${TERM:-dumb}" DEBIAN_FRONTEND=noninteractive ${shared:+AETHER_SHARED=/work/shared} \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${AETHER_BESIDE:+AETHER_BESIDE="$AETHER_BESIDE"} \
        PATH=/opt/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# What Swift needs of a bare system, and the packages of scripts/setup.sh, whenever that file is another one.
packages="g++ git binutils libedit2 libxml2 libcurl4 libsqlite3-0 libncurses6 libz3-4 tzdata make ca-certificates curl gpg gpg-agent procps file dpkg-dev xz-utils"
set_up=$(sha256sum < scripts/setup.sh | cut -d' ' -f1)
if [ "$(cat "$cache/set-up" 2> /dev/null || :)" != "$set_up" ]; then
    say "its packages"
    inside sh -ec "apt-get update -q && apt-get install -y -q --no-install-recommends $packages && scripts/setup.sh test" > "$cache/packages.log" 2>&1 ||
        { tail -n 20 "$cache/packages.log" >&2; fail "packages are missing, see $cache/packages.log"; }
    echo "$set_up" > "$cache/set-up"
fi
say "$(inside sh -c '. /etc/os-release && echo "$PRETTY_NAME"'), FFmpeg $(inside sh -c "dpkg-query -W -f='\${Version}' ffmpeg"), $(inside swift --version 2> /dev/null | head -n 1)"

# What Swift packages need from the network is fetched here, by this machine's way to it. Package.resolved is the tree's: the same versions.
for scratch in .build .build-test; do
    swift package --scratch-path "$cache/$scratch" resolve > "$cache/resolve.log" 2>&1 || { cat "$cache/resolve.log" >&2; fail "no Swift packages"; }
done

tested="--disable-local-rpath -c release -Xswiftc -enable-testing --scratch-path .build-test"
build() {
    say "building the programs and the tests (release mode, testing enabled)"
    # The compilers of a long build leave the machine to whoever else works on it. Tests look at the classes of threads: they get none.
    inside $(chrt -i 0 true 2> /dev/null && echo "chrt -i 0" || :) swift build --build-tests $tested
    inside scripts/demo-clip.sh demo/demo.mkv
}

# The frames of the demo clip and of the corpus by both FFmpegs. Where one system lacks a program or the corpus, that is said.
compare_frames() {
    here=
    for folder in ${BIN:-.build-test/release .build/release}; do [ -n "$here" ] || [ ! -x "$folder/aetherctl" ] || here=$folder/aetherctl; done
    [ -n "$here" ] || { say "no aetherctl of this system (make build): frames are not compared"; return 0; }
    [ -x "$cache/.build-test/release/aetherctl" ] || fail "no aetherctl of $system yet: make test-$system"
    scripts/demo-clip.sh demo/demo.mkv
    cp demo/demo.mkv "$cache/empty/demo.mkv"
    : > "$cache/frames.here"
    : > "$cache/frames.there"
    for place in demo ${shared:+corpus}; do
        case $place in
        demo) at=$cache/empty/demo.mkv in=.build-$system/demo.mkv ;;
        corpus) at=$shared/corpus in=/work/shared/corpus ;;
        esac
        scripts/frame-hashes.sh "$here" "$at" | sed "s|^$at|demo|" >> "$cache/frames.here"
        inside scripts/frame-hashes.sh .build-test/release/aetherctl "$in" | sed "s|^$in|demo|" >> "$cache/frames.there"
    done
    rm -f "$cache/empty/demo.mkv"
    files=$(cut -d' ' -f1 "$cache/frames.here" | sort -u | wc -l)
    [ "$files" -gt 0 ] || fail "no frames at all"
    # A file is named once, with how many of its frames are not the same.
    diff "$cache/frames.here" "$cache/frames.there" | sed -n 's/^[<>] \([^ ]*\) .*/\1/p' | sort | uniq -c > "$cache/frames.differ" || :
    say "$(wc -l < "$cache/frames.here") frames of $files files here, $(wc -l < "$cache/frames.there") there; $(wc -l < "$cache/frames.differ") files differ"
    # Where they may: CONVERSIONS of the two FFmpegs that are known to be other ones, a file a line.
    unknown=$(awk '{ print $2 }' "$cache/frames.differ" | grep -vxF -f scripts/frames-differ.txt || :)
    [ -z "$unknown" ] || { printf '%s\n' "$unknown" >&2; fail "these frames are not the same on both: see $cache/frames.here, frames.there"; }
}

case $kind in
run) inside "$@" ;;
frames) compare_frames ;;
unit)
    build
    inside swift test $tested --skip-build --disable-xctest --skip '^(AetherPlayingTests|EndToEndTests)\.'
    compare_frames
    ;;
test)
    inside scripts/test.sh $tested
    compare_frames
    ;;
deb)
    out=${1:-dist-$system}
    inside sh -ec "make build && make deb DIST=.build/dist"
    mkdir -p "$out"
    cp "$cache"/.build/dist/*.deb "$out/"
    ls -l "$out"
    ;;
esac
