#!/bin/sh
# Installs the Debian packages that are missing, and says so first. Does nothing where all is there.
#   scripts/setup.sh [run|test|terminals]   run: to build and play (default); test: to run the tests too; terminals: to look at
#                                           the player in real terminals
# A package for tests that this system does not have is named and left out; one to build or to play with must be there.
set -eu

set_wanted=${1:-run}
build="pkg-config gettext libavformat-dev libavcodec-dev libavfilter-dev libavutil-dev libswscale-dev libswresample-dev
    libasound2-dev libncurses-dev zlib1g-dev libdav1d-dev libass-dev libfribidi-dev libharfbuzz-dev
    libuchardet-dev libsqlite3-dev libsystemd-dev libcurl4-openssl-dev libsmbclient-dev libnfs-dev
    libcdio-dev"
run="ffmpeg fonts-dejavu-core libasound2-plugins"
test="nginx-light libnginx-mod-http-dav-ext tinyproxy-bin openssh-client openssh-server openssl binutils pulseaudio pulseaudio-utils mandoc tmux dbus playerctl dvdauthor genisoimage libbluray-bin samba smbclient
    xvfb libva-dev nfs-ganesha-vfs gnome-keyring krb5-kdc krb5-admin-server krb5-user"
# Mesa draws OpenGL for kitty, in software. fonts-dejavu-core is the font of the others.
terminals="xvfb xdotool imagemagick python3-numpy xterm kitty libgl1-mesa-dri foot weston mlterm tmux"
case $set_wanted in
run) wanted="$build $run" ;;
test) wanted="$build $run $test" ;;
terminals) wanted="$build $run $terminals" ;;
*) echo "usage: scripts/setup.sh [run|test|terminals]" >&2; exit 64 ;;
esac

cd "$(dirname "$0")/.."
# What Swift's compiler itself needs, where it must be fetched (scripts/setup-swift.sh).
is_enough() { [ "$1" -gt 6 ] || { [ "$1" -eq 6 ] && [ "$2" -ge 2 ]; }; }
# shellcheck disable=SC2046
is_enough $(scripts/swift-path.sh version) 0 0 || wanted="$wanted curl gpg ca-certificates g++ git binutils libedit2 libxml2 tzdata"

say() { printf 'setup: %s\n' "$*" >&2; }

missing=
if command -v dpkg-query > /dev/null; then
    for package in $wanted; do
        case $(dpkg-query -W -f='${Status}' "$package" 2> /dev/null || :) in
        *" installed") ;;
        *) missing="$missing $package" ;;
        esac
    done
else
    say "this is no Debian: please install what provides:" $wanted
fi

if [ -n "$missing" ]; then
    say "these Debian packages are missing:$missing"
    [ -t 0 ] || export DEBIAN_FRONTEND=noninteractive
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo > /dev/null || { say "sudo is not here; as root, please run: apt-get install$missing"; exit 1; }
        as_root="sudo${DEBIAN_FRONTEND:+ DEBIAN_FRONTEND=$DEBIAN_FRONTEND}"
        say "installing them with sudo apt-get, which may ask for your password"
    fi
    install_missing() { $as_root apt-get install -y --no-install-recommends -q $missing; }
    # A fresh machine has no package lists, or stale ones: only then they are fetched.
    # The tests start nginx themselves. Its package would start a server on port 80, now and at every boot: where it was not here before,
    # Debian's policy file says no while it is installed, and the unit is switched off.
    nginx_is_new='' samba_is_new='' ganesha_is_new='' kdc_is_new='' policy=''
    case "$missing" in
    *nginx-light*) command -v nginx > /dev/null || nginx_is_new=yes ;;
    esac
    case "$missing " in
    *" samba "*) command -v smbd > /dev/null || samba_is_new=yes ;;
    esac
    case "$missing" in
    *nfs-ganesha*) command -v ganesha.nfsd > /dev/null || ganesha_is_new=yes ;;
    esac
    case "$missing" in
    *krb5-kdc*) command -v krb5kdc > /dev/null || kdc_is_new=yes ;;
    esac
    if [ -n "$nginx_is_new$samba_is_new$ganesha_is_new$kdc_is_new" ] && [ ! -e /usr/sbin/policy-rc.d ]; then
        policy=/usr/sbin/policy-rc.d
        trap '$as_root rm -f "$policy"' EXIT
        printf '#!/bin/sh\ncase $1 in nginx|smbd|nmbd|samba-ad-dc|nfs-ganesha*|rpcbind|krb5-*) exit 101 ;; esac\n' | $as_root tee "$policy" > /dev/null
        $as_root chmod 755 "$policy"
    fi
    # What this system's lists do not have, of what only tests want: each of those tests says what it lacks.
    leave_out_unknown() {
        known=
        for package in $missing; do
            case " $(echo $test $terminals) :$(apt-cache policy "$package" 2> /dev/null | sed -n 's/^  Candidate: //p')" in
            *" $package "*:"(none)" | *" $package "*:) say "this system has no package $package: some tests will be skipped" ;;
            *) known="$known $package" ;;
            esac
        done
        missing=$known
    }
    install_missing || {
        say "fetching the package lists"
        $as_root apt-get update -q
        leave_out_unknown
        [ -z "$missing" ] || install_missing
    }
    if [ -n "$policy" ]; then
        $as_root rm -f "$policy"
        trap - EXIT
    fi
    if [ -n "$nginx_is_new" ] && command -v deb-systemd-helper > /dev/null; then
        # It speaks to package scripts only.
        $as_root env DPKG_MAINTSCRIPT_PACKAGE=nginx deb-systemd-helper disable nginx.service > /dev/null 2>&1 ||
            say "nginx may start at the next boot: systemctl disable nginx"
    fi
    if [ -n "$ganesha_is_new" ] && command -v deb-systemd-helper > /dev/null; then
        $as_root env DPKG_MAINTSCRIPT_PACKAGE=nfs-ganesha deb-systemd-helper disable nfs-ganesha.service > /dev/null 2>&1 ||
            say "nfs-ganesha may start at the next boot: systemctl disable nfs-ganesha"
    fi
    if [ -n "$kdc_is_new" ] && command -v deb-systemd-helper > /dev/null; then
        for unit in krb5-kdc krb5-admin-server; do
            $as_root env DPKG_MAINTSCRIPT_PACKAGE=$unit deb-systemd-helper disable $unit.service > /dev/null 2>&1 ||
                say "$unit may start at the next boot: systemctl disable $unit"
        done
    fi
    if [ -n "$samba_is_new" ] && command -v deb-systemd-helper > /dev/null; then
        for unit in smbd nmbd samba-ad-dc; do
            $as_root env DPKG_MAINTSCRIPT_PACKAGE=samba deb-systemd-helper disable $unit.service > /dev/null 2>&1 ||
                say "$unit may start at the next boot: systemctl disable $unit"
        done
    fi
fi

# shellcheck disable=SC2046
set -- $(scripts/swift-path.sh version) 0 0
if ! is_enough "$1" "$2"; then
    if [ -n "${SWIFT:-}" ]; then
        say "SWIFT is $SWIFT, which is no Swift 6.2 or later"
        exit 1
    fi
    [ "$1" -eq 0 ] || say "the Swift on PATH is $1.$2, which is too old"
    exec scripts/setup-swift.sh
fi
