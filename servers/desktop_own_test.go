package servers

import (
	"os"
	"slices"
	"strings"
	"testing"

	"goated/servers/desktop/element"
)

// The desktop server's sandbox hides other processes, so goated passes it its own processes and its
// terminal. Otherwise the server could press goated's own Allow button.
func TestTheDesktopServerKnowsGoated(t *testing.T) {
	t.Setenv("WINDOWID", "8388621")
	given := make(map[string]string)
	for _, s := range All() {
		if s.Given == nil {
			continue
		}
		for _, v := range s.Given() {
			name, value, _ := strings.Cut(v, "=")
			given[name] = value
		}
	}
	own := desktopOwn(func(name string) string { return given[name] })
	if !slices.Contains(own.PIDs, os.Getpid()) || !slices.Contains(own.PIDs, os.Getppid()) {
		t.Errorf("it knows %v, not %d and its parent %d", own.PIDs, os.Getpid(), os.Getppid())
	}
	for what, w := range map[string]element.Window{
		"goated's window by its process": {ID: 1, PID: os.Getpid()}, "its terminal by its window": {ID: 8388621}, "its window by its class": {ID: 2, Class: "Goated"},
	} {
		if !own.Window(w) {
			t.Errorf("%s is not protected", what)
		}
	}
	if own.Window(element.Window{ID: 3, PID: 1, Class: "Mousepad"}) || own.Process(1) {
		t.Error("another window is protected")
	}
	if bad := desktopOwn(func(string) string { return "x,,-1,0,1" }); len(bad.PIDs)+len(bad.Windows) > 0 {
		t.Errorf("a damaged variable gives %+v", bad)
	}
}

// The summary mentions a key only for sessions that certainly have one.
func TestSummaryOfTheSession(t *testing.T) {
	for session, want := range map[string]string{"": "Ctrl+Alt+Escape stops it at once", "x11": "Ctrl+Alt+Escape stops it at once", "wayland": "a key where your desktop gives one"} {
		got := desktopSummary(func(string) string { return session })
		if !strings.Contains(got, want) || session == "wayland" && !strings.Contains(got, "Stop everything") {
			t.Errorf("%q: %s", session, got)
		}
	}
}
