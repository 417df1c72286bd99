package scope

import "testing"

func TestMovable(t *testing.T) {
	const user = "0::/user.slice/user-1000.slice/"
	for _, c := range []struct {
		groups, session string
		want            bool
	}{
		{user + "user@1000.service/app.slice/app-gnome-goated-4711.scope\n", "wayland", true},
		{user + "user@1000.service/app.slice/app-goated@0a1b.service\n", "wayland", true}, // KDE
		{user + "user@1000.service/app.slice/vte-spawn-1.scope\n", "", true},              // a terminal
		{user + "user@1000.service/app.slice/mine.service\n", "wayland", false},           // the user's own service
		{user + "session-3.scope\n", "x11", true},
		{user + "session-3.scope\n", "tty", false}, // tmux over ssh outlives the session
		{"0::/system.slice/mine.service\n", "", false},
		{"0::/\n", "x11", false},
		{"", "", false},
	} {
		if got := movable(c.groups, c.session); got != c.want {
			t.Errorf("%q, %q: %t, not %t", c.groups, c.session, got, c.want)
		}
	}
}
