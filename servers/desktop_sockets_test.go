package servers

import (
	"slices"
	"strings"
	"testing"
)

// The desktop server can connect to its display, its buses and the service in the environment, but
// not to a whole folder of sockets.
func TestSocketsOfTheDesktop(t *testing.T) {
	env := map[string]string{
		"DISPLAY": "/tmp/launch-12/org.x:0.1", "XDG_RUNTIME_DIR": "/run/user/1000", "AT_SPI_BUS_ADDRESS": "unix:path=/x/a11y",
		"DBUS_SESSION_BUS_ADDRESS":     "unix:path=/run/user/1000/my%20bus,guid=1;unix:abstract=/tmp/dbus-abc,guid=2;tcp:host=localhost",
		"MACOS_USE_SERVER_SOCKET_PATH": "/run/mac.sock",
	}
	getenv := func(k string) string { return env[k] }
	got := desktopSockets(getenv)
	for _, bus := range desktopBuses(getenv) {
		got = append(got, bus.Sockets...)
	}
	for _, want := range []string{"/tmp/.X11-unix/X*", "/tmp/launch-12/org.x:0", "/run/user/1000/my bus", "@/tmp/dbus-abc", "/x/a11y", "/run/user/1000/at-spi/bus*", "/run/user/1000/at-spi2-*/socket", "/run/mac.sock"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q lacks %s", got, want)
		}
	}
	for _, s := range got {
		if s == "" || strings.HasPrefix(s, "/run/user/1000/*") || !strings.HasPrefix(strings.TrimPrefix(s, "@"), "/") {
			t.Errorf("it may connect to %q", s)
		}
	}
	if got := desktopSockets(func(string) string { return "" }); slices.ContainsFunc(got, func(s string) bool { return !strings.HasPrefix(strings.TrimPrefix(s, "@"), "/") }) {
		t.Errorf("without an environment: %q", got)
	}
}

// The desktop server can connect to the host in the environment, and to no other.
func TestHostsOfTheDesktop(t *testing.T) {
	for addr, want := range map[string][]string{"": nil, "mac.local": nil, "mac.local:50051": {"mac.local:50051"}, "[::1]:7": {"[::1]:7"}} {
		if got := desktopHosts(func(k string) string {
			if k == "MACOS_USE_SERVER_ADDR" {
				return addr
			}
			return ""
		}); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", addr, got, want)
		}
	}
}
