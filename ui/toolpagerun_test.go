package ui_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
)

// tried returns the page of the tool "echo". Its server answers each call with content, a
// Python expression.
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

// A long result pushed the form and Run off the screen. A picture or a link was shown as JSON.
// After Run, the page still warned that Esc loses the inputs.
func TestAResultLeavesTheFormAndRunInSight(t *testing.T) {
	d := tried(t, `[{"type": "text", "text": "\n".join(map(str, range(400)))}, {"type": "resource_link", "uri": "https://example.org/a", "name": "page"}]`)
	const warning = "Press Esc again to close this form. What you entered is lost then."
	d.Key(fyne.KeyEscape)
	d.sees(warning)
	for _, size := range []fyne.Size{{Width: 1280, Height: 840}, {Width: 640, Height: 480}} {
		d.Window.Resize(size)
		d.later()
		d.Press("Run")
		d.until("the result is there", func() bool { return !d.Reads("Running…") && d.Says("Returned after ") })
		if d.Reads(warning) {
			t.Error("the warning stays after Run")
		}
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

// A call could not be stopped, and the page did not show its progress. Esc closed the page and
// lost the result. Quick clicks on Stop did nothing, because each restarted the time during
// which clicks do not count.
func TestATryShowsItsProgressAndStops(t *testing.T) {
	d := tried(t, `(print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
		"progressToken": params["_meta"]["progressToken"], "progress": 1, "total": 4, "message": "Step 1"}}), flush=True), time.sleep(60))[2:]`)
	d.Press("Run")
	d.until("the call is at its first step", func() bool { d.beats(1); return d.Says("25 % · Step 1") })
	d.Key(fyne.KeyEscape)
	d.until("the call is stopped", func() bool { return d.Says("Stopped after ") })
	if d.Layers() != 1 {
		t.Fatal("Esc closed the page, too")
	}
	d.later()
	d.Press("Run")
	if d.Says("Step 1") {
		t.Error("the page shows the progress of the call before")
	}
	for range 2 { // the first click may be the second one of a double click; it does not delay the next one
		d.clock = d.clock.Add(300 * time.Millisecond)
		d.Press("Stop")
	}
	d.until("the other call is stopped", func() bool { return d.Pressable("Run") })
}

// A call could not be stopped after the user left its page, and a second one could start beside
// it.
func TestATryIsStillThereWhenItsPageOpensAgain(t *testing.T) {
	d := tried(t, `(time.sleep(60),)[1:]`)
	d.Press("Run")
	back := func(how string) {
		t.Helper()
		if !d.Pressable("Stop") || d.Pressable("Run") || d.Field("") != "hello" {
			t.Fatalf("after %s, the call is not there: %q", how, d.Texts())
		}
	}
	changed := d.host.Snapshot()
	changed.Servers[0].Tools = slices.Clone(changed.Servers[0].Tools)
	for i, e := range changed.Servers[0].Tools {
		tool := *e.Tool
		tool.Description = "It does something else now."
		changed.Servers[0].Tools[i].Tool = &tool
	}
	d.window.ShowServers(changed)
	d.sees("It does something else now.")
	back("a change of the tool")
	d.Press("All tools")
	d.Press("echo")
	back("All tools")
	d.Press("Log")
	d.Key(fyne.KeyEscape)
	if d.Layers() != 0 {
		t.Fatal("Esc on another tab does not close the page")
	}
	d.run("Try echo")
	back("the page of the server has closed")
	d.later()
	d.Press("Stop")
	d.until("the call is stopped", func() bool { return d.Says("Stopped after ") && d.Pressable("Run") })
}
