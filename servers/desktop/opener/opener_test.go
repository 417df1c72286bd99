package opener

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/proctest"
	"goated/internal/waittest"
	"goated/servers/desktop/apps"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/openable"
)

// direct passes requests to a host, like a connection does.
type direct struct{ h *Host }

func (d direct) Call(ctx context.Context, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	r, err := d.h.Answer(ctx, method, text)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(r); err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// system returns a host on a system with an application, a script on PATH, and a script elsewhere.
func system(t *testing.T, scripts bool) (h *Host, elsewhere string) {
	t.Helper()
	data, bin, other := t.TempDir(), t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(bin, "drawing")
	for path, text := range map[string]string{program: "echo \"no ink\" >&2; exit 4", filepath.Join(other, "saved"): ""} {
		if err := proctest.WriteProgram(path, []byte("#!/bin/sh\n"+text+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	entry := "[Desktop Entry]\nType=Application\n"
	write(filepath.Join(data, "applications", "org.draw.desktop"), entry+"Name=Draw\nExec="+program+" %F\nStartupWMClass=Drawing\n")
	write(filepath.Join(data, "applications", "top.desktop"), entry+"Name=Top\nExec="+program+"\nTerminal=true\n")
	write(filepath.Join(data, "applications", "term.desktop"), entry+"Name=Term\nExec=env A=b xterm\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	h = New(Options{Scripts: scripts})
	h.getenv = func(name string) string {
		switch name {
		case "XDG_DATA_HOME":
			return data
		case "XDG_DATA_DIRS":
			return "/nonexistent"
		}
		return os.Getenv(name)
	}
	return h, filepath.Join(other, "saved")
}

// An application with a desktop file starts. The server receives its entry and how it ended.
func TestAnApplicationStarts(t *testing.T) {
	h, _ := system(t, false)
	for _, name := range []string{"Draw", "org.draw.desktop", "org.draw"} {
		p, entry, err := Ask(direct{h})(t.Context(), name)
		if err != nil {
			t.Fatal(name, err)
		}
		if entry.ID != "org.draw" || entry.Class != "Drawing" || filepath.Base(entry.Args[0]) != "drawing" {
			t.Errorf("%+v", entry)
		}
		if !p.Started(p.PID) || p.Started(os.Getpid()) || p.Started(0) {
			t.Error("it started the wrong processes")
		}
		waittest.Receive(t, "the program ends", p.Done)
		if got := p.End(); got != "exit status 4: no ink" {
			t.Error(got)
		}
		p.Forget()
		if len(h.started) != 0 {
			t.Errorf("the host still watches %v", h.started)
		}
	}
}

// A program that is not an application needs the second switch. The host refuses terminals, goated
// itself and programs that send input, like the server does.
func TestOtherProgramsNeedTheSwitch(t *testing.T) {
	h, elsewhere := system(t, false)
	with, saved := system(t, true)
	for name, allowed := range map[string]bool{
		"sh": true, "/bin/sh": true, "cat": true, elsewhere: false, "env": true,
		"xterm": true, "Term": true, "Top": false, "xdotool": false,
	} {
		if filepath.Base(name) == name {
			if _, err := exec.LookPath(name); err != nil && name != "Term" && name != "Top" {
				continue // this system lacks the program
			}
		}
		var refusal *guard.Refusal
		if _, err := openable.Find(h.getenv, h.o.Scripts, name); !errors.As(err, &refusal) {
			t.Errorf("%s without the switch: %v", name, err)
		}
		if name == elsewhere {
			name, allowed = saved, true
		}
		if _, err := openable.Find(with.getenv, with.o.Scripts, name); (err == nil) != allowed {
			t.Errorf("%s with the switch: %v", name, err)
		}
	}
	if own, err := os.Executable(); err != nil {
		t.Error(err)
	} else if _, err := openable.Find(with.getenv, with.o.Scripts, own); err == nil || !strings.Contains(err.Error(), "goated itself") {
		t.Errorf("goated: %v", err)
	}
	for _, name := range []string{"", "no-such-program", "./saved", "bin/sh", "-c"} {
		_, _, err := Ask(direct{with})(t.Context(), name)
		if !errors.Is(err, apps.ErrUnknown) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The server can ask only about programs that the host started.
func TestOnlyStartedProgramsAreWatched(t *testing.T) {
	h, _ := system(t, true)
	for _, method := range []string{methodEnd, methodBelow, methodLeave} {
		if r, err := h.Answer(t.Context(), method, json.RawMessage(`{"pid":"1","other":"2"}`)); err == nil {
			t.Errorf("%s of the first process: %v", method, r)
		}
	}
	if r, err := h.Answer(t.Context(), "dev.goated/desktop/other", nil); err == nil {
		t.Error(r)
	}
	p, _, err := Ask(direct{h})(t.Context(), "cat")
	if err != nil {
		t.Fatal(err)
	}
	p.Forget()
	if left := len(h.started); left != 0 {
		t.Errorf("the host watches %d programs after the server left", left)
	}
}

// An application receives the user's environment without the API keys of goated's models.
func TestApplicationsGetNoKey(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "secret")
	t.Setenv("EDITOR", "vi")
	got := environ()
	if slices.Contains(got, "GEMINI_API_KEY=secret") || !slices.Contains(got, "EDITOR=vi") {
		t.Errorf("%q", got)
	}
}
