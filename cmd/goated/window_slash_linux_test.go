package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"goated/internal/config"
)

// A server's prompt can be used by keyboard alone: "/" lists it, Enter puts its text into the
// message, and Enter sends that.
func TestWindowSlashCommands(t *testing.T) {
	p := newPlace(t)
	script, err := os.ReadFile("../../internal/offers/testdata/offers.py")
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Chmod(p.write("memos.py", string(script)), 0o644)
	settings, err := json.Marshal(config.Settings{Welcomed: true, Launch: []config.Launch{{Name: "Memos", Path: filepath.Join(p.project, "memos.py"), NoSandbox: true}}})
	if err != nil {
		t.Fatal(err)
	}
	d := newDeskOf(t, p, smallScreen)
	d.settle(string(settings))
	d.open()
	d.until("the server has listed its tools", func() bool {
		lists, _ := filepath.Glob(filepath.Join(d.data, "tools", "*.json"))
		return len(lists) >= 2 // including the list of goated's own notes
	})
	d.opens("slash")
	if path := os.Getenv("GOATED_TOOLS_PICTURE"); path != "" {
		d.save(path)
	}
	d.write("greet")
	d.rests()
	d.press("Return")
	d.until("the text of the prompt is in the composer", func() bool {
		return d.copy(func() { d.press("ctrl+a", "ctrl+c") }) == "Dear reader,"
	})
	d.press("Return")
	if said := d.turn(1).User[0].Text; said != "Dear reader," {
		t.Errorf("the message was %q", said)
	}
	d.close()
}
