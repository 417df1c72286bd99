package view

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/wording"
)

func TestFix(t *testing.T) {
	err := &client.Error{Kind: client.ErrStart, Err: errors.New("x"), Report: &client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: diagnose.PythonModule, Args: diagnose.Args{
		Subject: "yaml", Dir: "/home/ada/my tools",
		Commands: [][]string{{"/usr/bin/python3", "-m", "venv", "/home/ada/my tools/.venv"}, {"/home/ada/my tools/.venv/bin/python3", "-m", "pip", "install", "mcp[cli]", "o'hara"}},
	}}}}
	want := "cd '/home/ada/my tools'\n/usr/bin/python3 -m venv '/home/ada/my tools/.venv'\n.venv/bin/python3 -m pip install 'mcp[cli]' 'o'\\''hara'"
	if got := FixCommands(err); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if FixCommands(&client.Error{Kind: client.ErrStart}) != "" || FixCommands(errors.New("x")) != "" {
		t.Error("an error without a diagnosis has commands that fix it")
	}
}

func TestStrayNote(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want string
	}{
		{0, ""},
		{1, "1 line on stdout was not a message"},
		{12345, "12,345 lines on stdout were not messages"},
	} {
		if got := NonMessageNote(client.Server{Noise: client.Noise{Lines: tt.n, Last: "hi"}}); got != tt.want {
			t.Errorf("%d: %q", tt.n, got)
		}
	}
}

// Harmless oddities are described in a few words, and not as an error.
func TestHabitNote(t *testing.T) {
	for _, tt := range []struct {
		stray client.Noise
		want  string
	}{
		{client.Noise{}, ""},
		{client.Noise{Lines: 3, Last: "hi"}, ""},
		{client.Noise{CRLF: 2}, "Sends Windows line endings."},
		{client.Noise{BOM: 1}, "Sends byte order marks."},
		{client.Noise{Blank: 1}, "Sent 1 blank line."},
		{client.Noise{Unasked: 1}, ""},
		{client.Noise{CRLF: 5, BOM: 1, Blank: 1000000, Unasked: 2}, "Sends Windows line endings. Sends byte order marks. Sent 1,000,000 blank lines."},
	} {
		s := client.Server{Noise: tt.stray}
		if got := OddOutputNote(s); got != tt.want {
			t.Errorf("%+v: %q", tt.stray, got)
		}
		if tt.stray.Lines == 0 && NonMessageNote(s) != "" {
			t.Errorf("%+v is shown as a fault: %q", tt.stray, NonMessageNote(s))
		}
	}
}

// The quarantine of a server is mentioned once, beside the errors that cause it.
func TestQuarantineNote(t *testing.T) {
	for script, want := range map[string]string{
		"while True: print('not a message')":       "goated stopped this server and does not restart it by itself.",
		"while True: print('\\n' * 10000, end='')": "goated stopped this server and does not restart it by itself.",
		"import sys; sys.exit('something else')":   "",
	} {
		path := filepath.Join(t.TempDir(), "server.py")
		if err := os.WriteFile(path, []byte(script+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		h := client.New(client.Options{Timeouts: client.Timeouts{Connect: time.Minute}})
		_, err := h.Connect(t.Context(), client.Config{Path: path, NoSandbox: true})
		h.Close()
		if got := QuarantineNote(err); err == nil || got != want {
			t.Errorf("%s: %v: %q", script, err, got)
		}
		if said := wording.ReasonText(err); (want != "") != (said == "") {
			t.Errorf("%v: the card continues with %q", err, said)
		}
	}
	if QuarantineNote(nil) != "" || QuarantineNote(errors.New("x")) != "" {
		t.Error("what is not in quarantine is said to be")
	}
}

func TestStatusOfOneThatComesBack(t *testing.T) {
	s := client.Server{Status: client.Failed}
	if ServerStatus(s) != "Failed" {
		t.Error(ServerStatus(s))
	}
	s.RetryAt = time.Now().Add(time.Second)
	if ServerStatus(s) != "Restarting…" {
		t.Error(ServerStatus(s))
	}
}

// A report that a user copied had the secrets that the server wrote.
func TestReportHasNoSecrets(t *testing.T) {
	s := client.Server{Stderr: []string{"Authorization: Bearer abcdefgh12345"}}
	if got := Report(s, &client.Error{Kind: client.ErrExited, Err: errors.New("exit status 1")}); strings.Contains(got, "abcdefgh12345") || !strings.Contains(got, "[secret]") {
		t.Errorf("the report is %q", got)
	}
}
