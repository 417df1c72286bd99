#!/bin/sh
# Installs the system packages that goated needs, through the system's package
# manager: what for is the argument, "window" or "test". It does nothing where
# all are there, prints what it will install and why, and on a system that it
# does not know prints the list. It exits with 3 if it could not install.
set -eu
what=$1

case $what in
window) why='to build the window (a C compiler, and the headers of X11 and OpenGL)' ;;
test) why='to run the tests (a display without a screen, tools to use it, a session bus with a keyring, bubblewrap, Python and Node.js)' ;;
esac

have() { command -v "$1" >/dev/null 2>&1; }

if have apt-get; then
	list='gcc libc6-dev libgl-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev'
	[ "$what" = window ] || list="$list xvfb xauth xdotool imagemagick x11-utils xclip libgl1-mesa-dri dbus gnome-keyring strace bubblewrap"
	missing=
	for p in $list; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
	done
	[ "$what" = window ] || have python3 || missing="$missing python3"
	[ "$what" = window ] || python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
	[ "$what" = window ] || have npm || missing="$missing nodejs npm"
	install='apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'
elif have dnf; then
	list='gcc mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel'
	[ "$what" = window ] || list="$list xorg-x11-server-Xvfb xorg-x11-xauth xdotool ImageMagick xclip strace bubblewrap mesa-dri-drivers dbus-daemon gnome-keyring python3 nodejs npm"
	missing=
	for p in $list; do rpm -q "$p" >/dev/null 2>&1 || missing="$missing $p"; done
	install='dnf install -y -q'
elif have pacman; then
	list='gcc mesa libx11 libxcursor libxrandr libxinerama libxi libxxf86vm'
	[ "$what" = window ] || list="$list xorg-server-xvfb xorg-xauth xdotool imagemagick xclip strace bubblewrap dbus gnome-keyring python nodejs npm"
	missing=
	for p in $list; do pacman -Qi "$p" >/dev/null 2>&1 || missing="$missing $p"; done
	install='pacman -S --noconfirm --needed'
elif have brew; then
	missing=
	have cc || missing="$missing gcc"
	[ "$what" = window ] || have python3 || missing="$missing python"
	[ "$what" = window ] || have npm || missing="$missing node"
	install='brew install'
else
	if have cc && [ "$what" = window ]; then exit 0; fi # the build will tell
	cat >&2 <<-EOF
	This system's package manager is not known. Please install, $why:
	  a C compiler; the development files of OpenGL (libGL), libX11, libXcursor, libXrandr, libXinerama, libXi, libXxf86vm
	EOF
	[ "$what" = window ] || echo '  Xvfb, xauth, xdotool, ImageMagick, xclip, strace and bubblewrap (Linux), dbus-daemon, gnome-keyring, Python 3.10 or newer with venv, Node.js with npm' >&2
	exit 3
fi

[ -n "$missing" ] || exit 0
sudo=
if [ "$(id -u)" != 0 ] && ! have brew; then
	sudo=sudo
	if ! have sudo || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
		echo "These packages are missing, $why:$missing" >&2
		echo "There is no permission to install them. As root, run: $install$missing" >&2
		exit 3
	fi
fi
echo "Installing, $why:$missing" >&2
$sudo sh -c "$install$missing" >/dev/null || { echo "Installing failed. The command was: $install$missing" >&2; exit 3; }
