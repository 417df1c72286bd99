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

// noWindow returns the reason why no window can open, or "" if one can.
func noWindow() string {
	if !hasWindow {
		return "This goated was built without a window."
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return ""
	}
	return noDisplay(os.Getenv("DISPLAY"))
}

// noDisplay returns the reason why no X display answers, or "" if one does. The window uses X11; on
// Wayland desktops, XWayland provides it. goated checks this first, because the window library
// ends the program if there is no display.
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
	case strings.HasPrefix(host, "/"): // launchd sockets on macOS
		return ""
	case host == "" || host == "unix":
		socket := filepath.Join("/tmp/.X11-unix", "X"+number)
		addresses = [][2]string{{"unix", socket}, {"unix", "@" + socket}}
	}
	for _, a := range addresses {
		conn, err := net.DialTimeout(a[0], a[1], 2*time.Second) // bounded, and nothing else has started yet
		if err == nil {
			_ = conn.Close()
			return ""
		}
	}
	return "The display " + display + " does not answer."
}
