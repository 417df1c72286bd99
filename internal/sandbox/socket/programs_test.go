package socket

import (
	"slices"
	"testing"
)

// A question names the sound server and the display rather than the patterns of their sockets.
func TestPrograms(t *testing.T) {
	got := Programs([]string{"/run/user/1000/pulse/native", "/tmp/pulse-*/native", "/run/user/1000/pipewire-*", "/tmp/.X11-unix/X*", "@/tmp/.X11-unix/X*", "/run/mac.sock"})
	if want := []string{"the sound server", "your display", "/run/mac.sock"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
