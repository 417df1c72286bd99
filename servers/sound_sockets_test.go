package servers

import (
	"slices"
	"testing"
)

// Ghost can connect to the sound servers, but not to a bus, a display or a whole folder.
func TestSocketsOfSound(t *testing.T) {
	env := map[string]string{
		"PULSE_SERVER": "{machine}unix:/run/user/1000/own/native tcp:far.example", "PULSE_RUNTIME_PATH": "/x/pulse", "XDG_RUNTIME_DIR": "/run/user/1000",
		"DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus", "DISPLAY": ":0",
	}
	got := soundSockets(func(k string) string { return env[k] })
	want := []string{"/run/user/1000/own/native", "/x/pulse/native", "/run/user/1000/pulse/native", "/run/pulse/native", "/tmp/pulse-*/native", "/run/user/1000/pipewire-*"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := soundSockets(func(string) string { return "" }); !slices.Equal(got, []string{"/run/pulse/native", "/tmp/pulse-*/native"}) {
		t.Errorf("without an environment: %q", got)
	}
}
