package servers

import (
	"net"
	"net/url"
	"path/filepath"
	"strings"
)

// displays matches the sockets of the X servers for the user's display and for a hidden desktop,
// whose number is unknown before it runs. A client needs the cookie of the authority file.
const displays = "/tmp/.X11-unix/X*"

// desktopSockets returns the Unix sockets that the desktop server connects to, beside those of
// buses: X servers, and the gRPC server of the environment.
func desktopSockets(getenv func(string) string) []string {
	out := []string{displays, "@" + displays}
	if display := getenv("DISPLAY"); strings.HasPrefix(display, "/") { // the path is in the name
		colon := max(strings.LastIndexByte(display, ':'), 0)
		number, _, _ := strings.Cut(display[colon:], ".")
		out = append(out, display[:colon]+number)
	}
	if path := getenv("MACOS_USE_SERVER_SOCKET_PATH"); filepath.IsAbs(path) {
		out = append(out, path)
	}
	return out
}

// busSockets returns the sockets in the address of a bus (D-Bus Specification, "Server
// Addresses").
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

// desktopHosts returns the computer that the environment names, with its port.
func desktopHosts(getenv func(string) string) []string {
	if _, _, err := net.SplitHostPort(getenv("MACOS_USE_SERVER_ADDR")); err != nil || getenv("MACOS_USE_SERVER_SOCKET_PATH") != "" {
		return nil // the server says what is wrong with it
	}
	return []string{getenv("MACOS_USE_SERVER_ADDR")}
}
