package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/proctest"
	"goated/internal/waittest"
	"goated/ui"
)

// diagnosed returns a diagnosis without a process.
func diagnosed(cause diagnose.Cause, args diagnose.Args) client.FailureReport {
	return client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: cause, Args: args}}
}

// In the list of servers, each cause has the button that fixes it, and the button works.
func TestEachCauseHasItsButton(t *testing.T) {
	const editSheet, logPage = "Edit weather", "The server has written nothing yet."
	script := filepath.Join(t.TempDir(), "weather.py")
	for _, tt := range []struct {
		name   string
		d      client.FailureReport
		button string
		opens  string // an address
		page   string // a text of the page or sheet that opens
		copies string
	}{
		{"interpreter", diagnosed(diagnose.ProgramMissing, diagnose.Args{Subject: "node", Page: "https://nodejs.org/en/download"}), "Go to nodejs.org", "https://nodejs.org/en/download", "", ""},
		{"port by a variable", diagnosed(diagnose.PortTaken, diagnose.Args{Variable: "PORT"}), "Set PORT…", "", editSheet, ""},
		{"port", diagnosed(diagnose.PortTaken, diagnose.Args{}), "Change how it runs…", "", editSheet, ""},
		{"variable", diagnosed(diagnose.VariableMissing, diagnose.Args{Variable: "KEY"}), "Set KEY…", "", editSheet, ""},
		{"syntax", diagnosed(diagnose.SyntaxError, diagnose.Args{Open: script}), "Open the file", "file://" + filepath.ToSlash(script), "", ""},
		{"error", diagnosed(diagnose.UncaughtError, diagnose.Args{Open: script}), "Open the file", "file://" + filepath.ToSlash(script), "", ""},
		{"protocol", diagnosed(diagnose.ProtocolError, diagnose.Args{}), "Open its log", "", logPage, ""},
		{"crash", client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: diagnose.Crashed}, Command: []string{"python3", "weather.py"}, Exit: "signal: segmentation fault"}, "Copy a report", "", "", "python3 weather.py"},
		{"socket", diagnosed(diagnose.SocketRefused, diagnose.Args{Subject: "/run/docker.sock", Product: "Docker"}), "Run without the sandbox…", "", "Run weather without the sandbox?", ""},
		{"ssh", diagnosed(diagnose.SSHRefused, diagnose.Args{}), "Run without the sandbox…", "", "Run weather without the sandbox?", ""},
		{"ssh without a key", diagnosed(diagnose.SSHLogin, diagnose.Args{}), "Change how it runs…", "", editSheet, ""},
		{"podman", diagnosed(diagnose.ContainerRefused, diagnose.Args{Product: "Podman"}), "Run without the sandbox…", "", "Run weather without the sandbox?", ""},
		{"unknown", client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: diagnose.EndedSilently}, Exit: "exit status 3", Lasted: time.Second}, "Copy a report", "", "", "exit status 3 after"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, ui.Options{})
			d.window.ShowServers(client.Snapshot{Servers: []client.Server{{
				ID: "weather", Name: "weather", Path: script, Status: client.Failed, Stderr: []string{"what it wrote"},
				Err: &client.Error{Kind: client.ErrStart, Err: errors.New("boom"), Report: &tt.d},
			}}})
			d.openConnect()
			d.Press(tt.button)
			if tt.opens != "" {
				if got := waittest.Receive(t, "the page is opened", d.opened); got != tt.opens {
					t.Errorf("the button opens %q, not %q", got, tt.opens)
				}
			}
			if tt.page != "" && !d.Says(tt.page) {
				t.Errorf("the button does not open the page with %q: %q", tt.page, d.Texts())
			}
			if got := d.Clipboard(); tt.copies != "" && (!strings.Contains(got, tt.copies) || !strings.Contains(got, "what it wrote") || !strings.Contains(got, "boom")) {
				t.Errorf("copied is %q", got)
			}
		})
	}
}

// A program that was started by a click may have a PATH without the interpreter. The button
// finds the interpreter with the shell's PATH, and the server runs.
func TestLookThereAndRestart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no login shell")
	}
	home, tools := t.TempDir(), t.TempDir()
	shell := filepath.Join(home, "sh")
	if err := proctest.WriteProgram(shell, []byte("#!/bin/sh\nPATH="+tools+":/usr/bin:/bin\nexport PATH\neval \"$4\"\n")); err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(tools, "node")
	if err := proctest.WriteProgram(node, []byte("#!/bin/sh\necho 'node ran' >&2\nexit 3\n")); err != nil {
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
	h := client.New(client.Options{Unconfined: unconfined, Env: []string{"PATH=/nowhere", "HOME=" + home, "SHELL=" + shell}})
	defer h.Close()
	d := shown(t, ui.Options{Host: h})
	if _, err := h.Connect(t.Context(), client.Config{Path: script, NoSandbox: true}); err == nil {
		t.Fatal("the server runs without its interpreter")
	}
	d.openConnect()
	d.until("the server is listed", func() bool { return d.Reads("Add folder and restart") })
	d.Press("Add folder and restart")
	d.server("runs its interpreter", func(s client.Server) bool { return slices.Contains(s.Stderr, "node ran") })
}
