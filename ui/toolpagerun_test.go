package ui_test

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
)

// tried is the page of the tool "echo" of a server that answers a call with content, in Python.
func tried(t *testing.T, content string) *desk {
	t.Helper()
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	script := scriptOf(t, "echo.py", "import os, time")
	source, err := os.ReadFile(script)
	if err == nil {
		err = os.WriteFile(script, []byte(strings.Replace(string(source), `[{"type": "text", "text": text}]`, content, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := hosted(t, ui.Options{Host: host})
	if _, err := host.Connect(t.Context(), client.Config{Path: script, Unconfined: true}); err != nil {
		t.Fatal(err)
	}
	d.until("the window lists the tools", func() bool { return d.Reads("2 tools") })
	d.run("Try echo")
	d.Enter("", "hello")
	d.later()
	return d
}

// A long result took the form and Run off the screen, and a picture or a link was JSON.
func TestAResultLeavesTheFormAndRunInSight(t *testing.T) {
	d := tried(t, `[{"type": "text", "text": "\n".join(map(str, range(400)))}, {"type": "resource_link", "uri": "https://example.org/a", "name": "page"}]`)
	for _, size := range []fyne.Size{{Width: 1280, Height: 840}, {Width: 640, Height: 480}} {
		d.Window.Resize(size)
		d.later()
		d.Press("Run")
		d.until("the result is there", func() bool { return !d.Reads("Running…") && d.Says("Returned after ") })
		if _, _, seen := d.Place("Run"); !seen {
			t.Errorf("in %v, Run is out of sight", size)
		}
		if _, _, seen := d.PlaceOfField(""); !seen {
			t.Errorf("in %v, the field is out of sight", size)
		}
	}
	if !d.Pressable("Copy URI") {
		t.Errorf("the link is not shown as one: %q", d.Texts())
	}
}
