package servers

import (
	"net"
	"net/url"
	"path/filepath"
	"strings"
)

// displays matches the sockets of the X servers of the user's display and of a hidden desktop,
// whose number is not known in advance. To connect, a client also needs the cookie in the authority
// file.
const displays = "/tmp/.X11-unix/X*"

// desktopSockets returns the Unix sockets to which the desktop server connects, except those of
// buses: X servers, and the gRPC server from the environment.
func desktopSockets(getenv func(string) string) []string {
	out := []string{displays, "@" + displays}
	if display := getenv("DISPLAY"); strings.HasPrefix(display, "/") { // the name contains the path
		colon := max(strings.LastIndexByte(display, ':'), 0)
		number, _, _ := strings.Cut(display[colon:], ".")
		out = append(out, display[:colon]+number)
	}
	if path := getenv("MACOS_USE_SERVER_SOCKET_PATH"); filepath.IsAbs(path) {
		out = append(out, path)
	}
	return out
}

// busSockets returns the sockets in a bus address (D-Bus Specification, "Server Addresses").
func busSockets(address string) (out []string) {
	for one := range strings.SplitSeq(address, ";") {
		words, ok := strings.CutPrefix(one, "unix:")
		if !ok {
			continue
		}
		for pair := range strings.SplitSeq(words, ",") {
			key, value, _ := strings.Cut(pair, "=")
			value, err := url.PathUnescape(value)
			switch {
			case err != nil || value == "":
			case key == "path":
				out = append(out, value)
			case key == "abstract":
				out = append(out, "@"+value)
			}
		}
	}
	return out
}

// desktopHosts returns the host and port of the gRPC server from the environment.
func desktopHosts(getenv func(string) string) []string {
	if _, _, err := net.SplitHostPort(getenv("MACOS_USE_SERVER_ADDR")); err != nil || getenv("MACOS_USE_SERVER_SOCKET_PATH") != "" {
		return nil // the server reports what is wrong with it
	}
	return []string{getenv("MACOS_USE_SERVER_ADDR")}
}
