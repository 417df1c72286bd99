package servers

import (
	"path/filepath"
	"strings"
)

// soundSockets returns the Unix sockets of the sound servers to which paplay, pw-play and aplay
// connect: PulseAudio and PipeWire.
func soundSockets(getenv func(string) string) (out []string) {
	add := func(elements ...string) {
		if filepath.IsAbs(elements[0]) {
			out = append(out, filepath.Join(elements...))
		}
	}
	// "The syntax of the server string is a list of servers, separated by spaces". Each may follow
	// the name of a machine in braces (pulse-client.conf(5), pulseaudio(1)).
	for _, server := range strings.Fields(getenv("PULSE_SERVER")) {
		if _, after, ok := strings.Cut(server, "}"); ok {
			server = after
		}
		add(strings.TrimPrefix(server, "unix:"))
	}
	add(getenv("PULSE_RUNTIME_PATH"), "native")
	add(getenv("XDG_RUNTIME_DIR"), "pulse", "native")
	add("/run/pulse/native")   // of a server for the whole computer
	add("/tmp/pulse-*/native") // used if there is no runtime folder
	for _, name := range []string{"PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"} {
		add(getenv(name), "pipewire-*")
	}
	add(getenv("PIPEWIRE_REMOTE")) // the name of a socket in these folders, or a path
	return out
}
