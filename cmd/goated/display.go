package main

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// noWindow says why no window can be opened, or nothing if one can.
func noWindow() string {
	if !hasWindow {
		return "This goated was built without the window."
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return ""
	}
	return noDisplay(os.Getenv("DISPLAY"))
}

// noDisplay says why there is no X display, or nothing if there is one. The
// window speaks X11; Wayland desktops answer it through XWayland. To ask is
// cheap, and the window library would end the program.
func noDisplay(display string) string {
	if display == "" {
		return "There is no display (DISPLAY is not set)."
	}
	host, rest, ok := strings.Cut(display, ":")
	if !ok {
		return "There is no display " + display + "."
	}
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if err != nil {
		return "There is no display " + display + "."
	}
	addresses := [][2]string{{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))}}
	switch {
	case strings.HasPrefix(host, "/"): // macOS' launchd sockets
		return ""
	case host == "" || host == "unix":
		socket := filepath.Join("/tmp/.X11-unix", "X"+number)
		addresses = [][2]string{{"unix", socket}, {"unix", "@" + socket}}
	}
	for _, a := range addresses {
		conn, err := net.DialTimeout(a[0], a[1], 2*time.Second) // bounded, and nothing has started yet
		if err == nil {
			_ = conn.Close()
			return ""
		}
	}
	return "The display " + display + " does not answer."
}
