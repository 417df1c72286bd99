package servers

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"goated/servers/desktop/atspi/privatebus"
)

// displays matches the sockets of the X servers for the user's display and for a hidden desktop,
// whose number is unknown before it runs. A client needs the cookie of the authority file.
const displays = "/tmp/.X11-unix/X*"

// desktopSockets returns the Unix sockets that the desktop server connects to: X servers, the
// session bus, the accessibility bus, which the session bus names later, the buses of a hidden
// desktop, and the gRPC server of the environment. Portals answer on the session bus.
func desktopSockets(getenv func(string) string) []string {
	out := append([]string{displays, "@" + displays}, privatebus.Sockets()...)
	if display := getenv("DISPLAY"); strings.HasPrefix(display, "/") { // the path is in the name
		colon := max(strings.LastIndexByte(display, ':'), 0)
		number, _, _ := strings.Cut(display[colon:], ".")
		out = append(out, display[:colon]+number)
	}
	run := getenv("XDG_RUNTIME_DIR")
	for _, bus := range []string{getenv("DBUS_SESSION_BUS_ADDRESS"), getenv("AT_SPI_BUS_ADDRESS")} {
		out = append(out, busSockets(bus)...)
	}
	// The launcher of the accessibility bus makes its socket in one of these, older ones in the
	// folder of temporary files, where dbus-daemon chooses the name.
	for _, dir := range []string{run, xdg.CacheHome} {
		if filepath.IsAbs(dir) {
			out = append(out, filepath.Join(dir, "at-spi", "bus*"))
		}
	}
	for _, dir := range []string{"/tmp", os.TempDir()} {
		out = append(out, filepath.Join(dir, "at-spi2-*", "socket*"), filepath.Join(dir, "dbus-*"), "@"+filepath.Join(dir, "dbus-*"))
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
