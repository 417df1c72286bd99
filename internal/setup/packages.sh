#!/bin/sh
# Installs the system packages that goated needs with the system's package manager.
# The argument is the purpose, "window" or "test". The script prints what it installs
# and why, and does nothing if all packages are there. On an unknown system it prints
# the list. It exits with 3 if it could not install them.
set -eu
purpose=$1

case $purpose in
window) why='to build the window (a C compiler, and the headers of X11 and OpenGL)' ;;
test) why='to run the tests (a virtual display with a small desktop and programs to drive, a session bus with a keyring, bubblewrap, Python and Node.js)' ;;
esac

have() { command -v "$1" >/dev/null 2>&1; }

if have apt-get; then
	list='gcc libc6-dev libgl-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev'
	[ "$purpose" = window ] || list="$list xvfb xauth xdotool imagemagick x11-utils xclip libgl1-mesa-dri dbus gnome-keyring strace bubblewrap openbox xterm wmctrl scrot mousepad galculator at-spi2-core gnome-calculator featherpad python3-pyatspi"
	# Ubuntu has no package of Chromium, only a snap: the tests with it are left out there.
	[ "$purpose" = window ] || ! apt-cache show chromium >/dev/null 2>&1 || list="$list chromium"
	missing=
	for p in $list; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
	done
	[ "$purpose" = window ] || have python3 || missing="$missing python3"
	[ "$purpose" = window ] || python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
	[ "$purpose" = window ] || have npm || missing="$missing nodejs npm"
	install='apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'
elif have dnf; then
	list='gcc mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel'
	[ "$purpose" = window ] || list="$list xorg-x11-server-Xvfb xorg-x11-xauth xdotool ImageMagick xclip strace bubblewrap mesa-dri-drivers dbus-daemon gnome-keyring openbox xterm wmctrl scrot mousepad galculator chromium at-spi2-core gnome-calculator featherpad python3-pyatspi python3 nodejs npm"
	missing=
	for p in $list; do rpm -q "$p" >/dev/null 2>&1 || missing="$missing $p"; done
	install='dnf install -y -q'
elif have pacman; then
	list='gcc mesa libx11 libxcursor libxrandr libxinerama libxi libxxf86vm'
	[ "$purpose" = window ] || list="$list xorg-server-xvfb xorg-xauth xdotool imagemagick xclip strace bubblewrap dbus gnome-keyring openbox xterm wmctrl scrot mousepad galculator chromium at-spi2-core gnome-calculator featherpad python-atspi python nodejs npm"
	missing=
	for p in $list; do pacman -Qi "$p" >/dev/null 2>&1 || missing="$missing $p"; done
	install='pacman -S --noconfirm --needed'
elif have brew; then
	missing=
	have cc || missing="$missing gcc"
	[ "$purpose" = window ] || have python3 || missing="$missing python"
	[ "$purpose" = window ] || have npm || missing="$missing node"
	install='brew install'
else
	if have cc && [ "$purpose" = window ]; then exit 0; fi # the build reports what is missing
	cat >&2 <<-EOF
	goated does not know this system's package manager. Please install these packages $why:
	  a C compiler; the development files of OpenGL (libGL), libX11, libXcursor, libXrandr, libXinerama, libXi, libXxf86vm
	EOF
	[ "$purpose" = window ] || echo '  Xvfb, xauth, xdotool, ImageMagick, xclip, strace and bubblewrap (Linux), dbus-daemon, gnome-keyring, Python 3.10 or newer with venv, Node.js with npm' >&2
	exit 3
fi

[ -n "$missing" ] || exit 0
sudo=
if [ "$(id -u)" != 0 ] && ! have brew; then
	sudo=sudo
	if ! have sudo || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
		echo "These packages are missing $why:$missing" >&2
		echo "You have no permission to install them. As root, run: $install$missing" >&2
		exit 3
	fi
fi
echo "Installing packages $why:$missing" >&2
$sudo sh -c "$install$missing" >/dev/null || { echo "The installation failed. The command was: $install$missing" >&2; exit 3; }
