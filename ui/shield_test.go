package ui_test

import (
	"strings"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// byRoot returns the sandbox status of a goated that runs as root without a control group.
func byRoot() sandbox.Status {
	s := samplechat.Sandbox()
	s.Root = true
	return s
}

const ofRoot = "it can start any number of processes, because it runs as root."

// The sheet reports before a server starts what the sandbox lacks. It used to show a green
// shield for a server that was "Partly sandboxed" afterwards.
func TestTheSheetSaysWhatTheSandboxLacks(t *testing.T) {
	script := scriptOf(t, "shop.py", "print()")
	counted := byRoot()
	counted.Sums = true
	for name, c := range map[string]struct {
		running []client.Server
		lacks   bool
	}{
		"no server runs":            {nil, true},
		"a server shows the limits": {[]client.Server{{ID: "a", Name: "a", Status: client.Connected, Confinement: client.Confinement{Sandbox: counted}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := shown(t, ui.Options{Files: ui.Files{Probe: byRoot}})
			d.window.ShowServers(client.Snapshot{Servers: c.running})
			d.openConnect()
			d.Enter(scriptField, script)
			d.sees("Network")
			if d.Says(ofRoot) != c.lacks || d.Reads("In the sandbox it can do only this") == c.lacks || (d.Icons("shield-check") == 0) != c.lacks {
				t.Errorf("the sheet reads %q", d.Texts())
			}
		})
	}
}

// "Partly sandboxed" and "Not sandboxed" come with the reason: in the list of the sheet, on the
// page of the server and in Tools.
func TestAShieldSaysWhy(t *testing.T) {
	for label, c := range map[string]client.Confinement{
		"Partly sandboxed": {Sandbox: byRoot()},
		"Not sandboxed":    {NoSandbox: true},
	} {
		t.Run(label, func(t *testing.T) {
			why := "This system sandboxes it only partly: " + ofRoot
			if c.NoSandbox {
				why = "You turned its sandbox off. It can do everything that you can: read and change all your files, use the network, and start and stop programs."
			}
			d := shown(t, ui.Options{})
			d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "shop", Name: "shop", Path: "/srv/shop.py", Status: client.Connected, Confinement: c}}})
			d.openConnect()
			d.explains(label, why)
			d.Press(label)
			d.explains(label, why)
		})
	}
	d := shown(t, ui.Options{})
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "shop", Name: "shop", Path: "/srv/shop.py", Status: client.Connected, Confinement: client.Confinement{Sandbox: byRoot()}}}})
	d.run("Tools")
	d.Press("shop")
	d.until("the card says why", func() bool { return strings.HasSuffix(d.Find("It can do nothing else"), "The exception: "+ofRoot) })
}

// explains checks the tooltip of a text.
func (d *desk) explains(text, tip string) {
	d.T.Helper()
	d.Hover(text)
	d.beats(7)
	if !d.Reads(tip) && !strings.Contains(strings.Join(d.Texts(), " "), tip) {
		d.T.Errorf("the tooltip of %s does not say %q: %q", text, tip, d.Texts())
	}
	d.Leave()
}
