package ui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"goated/client"
	"goated/ui"
)

// The log shows the time of each line, and keeps what the server wrote before its restart.
func TestTheLogHasTimesAndTheRunsBefore(t *testing.T) {
	host := client.New(client.Options{})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	script := filepath.Join(t.TempDir(), "late.js")
	for _, says := range []string{"first", "second"} {
		if err := os.WriteFile(script, []byte("console.error('the "+says+" run'); process.exit(3)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if says == "first" {
			_, _ = host.Connect(t.Context(), client.Config{Path: script, NoSandbox: true}) // it fails
		} else {
			_ = host.Restart(t.Context(), "late") // it fails again
		}
	}
	d.until("the window shows the server", func() bool { return d.Says("needs you") })
	d.openServer("late", "Log")
	for _, says := range []string{"first", "second"} {
		line := regexp.MustCompile(`^\d\d:\d\d:\d\d  the ` + says + ` run$`)
		d.until("the lines of the "+says+" run", func() bool {
			for _, text := range d.Texts() {
				if line.MatchString(text) {
					return true
				}
			}
			return false
		})
	}
	if !d.Says("Started at ") {
		t.Errorf("no run says when it started: %q", d.Texts())
	}
}
