package ui

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"goated/client"
	"goated/client/diagnose"
)

// known is a diagnosis without the process.
func known(cause diagnose.Cause, args diagnose.Args) client.Diagnosis {
	return client.Diagnosis{Diagnosis: diagnose.Diagnosis{Cause: cause, Args: args}}
}

// In the list of servers, each cause has the button that helps against it, and
// the button works.
func TestEachCauseIsMended(t *testing.T) {
	script := filepath.Join(t.TempDir(), "weather.py")
	for _, tt := range []struct {
		name   string
		d      client.Diagnosis
		button string
		opens  string // an address
		page   int    // of the server; -1: none
		copies string
	}{
		{"interpreter", known(diagnose.ProgramMissing, diagnose.Args{Subject: "node", Page: "https://nodejs.org/en/download"}), "Go to nodejs.org", "https://nodejs.org/en/download", -1, ""},
		{"port by a variable", known(diagnose.PortTaken, diagnose.Args{Variable: "PORT"}), "Set PORT…", "", int(serverProcess), ""},
		{"port", known(diagnose.PortTaken, diagnose.Args{}), "Change how it runs…", "", int(serverProcess), ""},
		{"variable", known(diagnose.VariableMissing, diagnose.Args{Variable: "KEY"}), "Set KEY…", "", int(serverProcess), ""},
		{"syntax", known(diagnose.SyntaxError, diagnose.Args{Open: script}), "Open the file", "file://" + filepath.ToSlash(script), -1, ""},
		{"error", known(diagnose.UncaughtError, diagnose.Args{Open: script}), "Open the file", "file://" + filepath.ToSlash(script), -1, ""},
		{"protocol", known(diagnose.ProtocolError, diagnose.Args{}), "Open its log", "", int(serverLog), ""},
		{"crash", client.Diagnosis{Diagnosis: diagnose.Diagnosis{Cause: diagnose.Crashed}, Command: []string{"python3", "weather.py"}, Exit: "signal: segmentation fault"}, "Copy a report", "", -1, "python3 weather.py"},
		{"unknown", client.Diagnosis{Diagnosis: diagnose.Diagnosis{Cause: diagnose.EndedSilently}, Exit: "exit status 3", Lasted: time.Second}, "Copy a report", "", -1, "exit status 3 after"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, Options{})
			opened := make(chan string, 1)
			d.openURL = func(u *url.URL) error { opened <- u.String(); return nil }
			d.see(client.Snapshot{Servers: []client.Server{{
				ID: "weather", Name: "weather", Path: script, Status: client.Failed, Stderr: []string{"what it wrote"},
				Err: &client.Error{Kind: client.ErrStart, Err: errors.New("boom"), Diagnosis: &tt.d},
			}}})
			d.connect()
			test.Tap(d.button(tt.button))
			if tt.opens != "" {
				if got := <-opened; got != tt.opens {
					t.Errorf("it opens %q, not %q", got, tt.opens)
				}
			}
			if tt.page >= 0 && (d.station == nil || int(d.station.at) != tt.page) {
				t.Error("it does not lead to the server's page")
			}
			if got := d.app.Clipboard().Content(); tt.copies != "" && (!strings.Contains(got, tt.copies) || !strings.Contains(got, "what it wrote") || !strings.Contains(got, "boom")) {
				t.Errorf("copied is %q", got)
			}
		})
	}
}

// anyhow lets servers run in tests where the system has no sandbox.
func anyhow(context.Context, string, client.Config) bool { return true }

// An interpreter that is not on the PATH of a program that was started by a
// click: the button has it looked for where it is, and the server runs.
func TestLookThereAndRestart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no login shell")
	}
	home, tools := t.TempDir(), t.TempDir()
	shell := filepath.Join(home, "sh")
	if err := os.WriteFile(shell, []byte("#!/bin/sh\nPATH="+tools+":/usr/bin:/bin\nexport PATH\neval \"$4\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(tools, "node")
	if err := os.WriteFile(node, []byte("#!/bin/sh\necho 'node ran' >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(home, "weather.js")
	if err := os.WriteFile(script, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin"} {
		if _, err := os.Stat(filepath.Join(dir, "node")); err == nil {
			t.Skip("Node.js is in " + dir + ", where it is always looked for")
		}
	}
	h := client.New(client.Options{Unconfined: anyhow, Env: []string{"PATH=/nowhere", "HOME=" + home, "SHELL=" + shell}})
	defer h.Close()
	d := newDesk(t, Options{Host: h})
	d.show()
	if _, err := h.Connect(t.Context(), client.Config{Path: script, NoSandbox: true}); err == nil {
		t.Fatal("it runs")
	}
	d.until("it is listed", func() bool { return len(d.servers.Servers) == 1 && d.servers.Servers[0].Err != nil })
	d.connect()
	test.Tap(d.button("Look there and restart"))
	d.until("it is run", func() bool { return slices.Contains(d.servers.Servers[0].Stderr, "node ran") })
}
