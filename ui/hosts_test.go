package ui_test

import (
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui"
)

// reachingServer returns an echo server that first tries to reach a host.
func reachingServer(t testing.TB) string {
	t.Helper()
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	return serverOf(t, "diarist", "import urllib.request\ntry:\n    urllib.request.urlopen('http://weather.invalid/')\nexcept OSError:\n    pass")
}

// goated asks about the host that a server tries to reach, until the user refuses it
// permanently. The user can also allow a host on the page, and revoke it there.
func TestHostIsAskedForAndRevoked(t *testing.T) {
	script := reachingServer(t)
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	d.connect(script)
	d.sees("diarist wants to reach weather.invalid")
	if !d.Reads("443, 80") {
		t.Error("the question does not name the ports")
	}
	d.Press("Don't ask again for this")
	d.answers("Not now")
	d.until("the answer is saved", func() bool {
		return d.known(script).Refused.Has(sandbox.Permission{Kind: sandbox.ToHost, Host: "weather.invalid"})
	})
	again := hosted(t, ui.Options{Host: host, Settings: d.saved.get()})
	again.openConnect()
	again.until("the server is listed", func() bool { return again.Reads("diarist") })
	again.beats(20)
	if again.dialogs.Waiting() > 0 {
		t.Error("the window asks again")
	}
	again.Press("diarist")
	again.Press("Permissions")
	again.sees("Reach weather.invalid")
	const field = "A host, such as api.example.org"
	again.Enter(field, "https://api.example.org/v1")
	again.Press("Allow the host")
	if !again.Reads("Enter only the host, such as api.example.org, without https:// and the path.") {
		t.Error("the page does not say what is wrong with the host")
	}
	again.Enter(field, "API.example.org:8443")
	again.Press("Allow the host")
	const reach = "api.example.org:8443, and nothing else"
	again.until("the host is allowed", func() bool {
		return again.known(script).Allowed.Has(sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org:8443"}) && again.Reads(reach)
	})
	again.PressIcon("trash")
	again.until("the host is revoked", func() bool { return len(again.known(script).Allowed) == 0 && !again.Reads(reach) })
}
