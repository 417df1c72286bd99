package opener

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/waittest"
	"goated/servers/desktop/apps"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/x11/hidden"
)

// until is a direct host whose connection ends when ctx ends.
type until struct {
	direct
	ctx context.Context
}

func (u until) Call(_ context.Context, method string, params, result any) error {
	return u.direct.Call(u.ctx, method, params, result)
}

// The host starts the hidden desktop, opens applications only there, and ends everything with the
// connection.
func TestTheHostStartsTheHiddenDesktop(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	defer end()
	h := New(Options{Hidden: true})
	if _, err := h.start([]string{"true"}, ""); err == nil {
		t.Error("an application opened on the user's desktop")
	}
	host := until{direct{h}, ctx}
	d, buses, err := AskHidden(host)(t.Context())
	if errors.Is(err, hidden.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if w, _, err := d.Size(t.Context()); err != nil || w != 1280 {
		t.Errorf("%d, %v", w, err)
	}
	written := filepath.Join(t.TempDir(), "env")
	stubborn, err := h.start([]string{"sh", "-c", `trap "" TERM; env >"$0.part"; mv "$0.part" "$0"; sleep 1000 & wait`, written}, "")
	if err != nil {
		t.Fatal(err)
	}
	var env []byte
	waittest.Until(t, "the application writes its environment", func() bool {
		env, err = os.ReadFile(written)
		return err == nil
	})
	lines := strings.Split(string(env), "\n")
	if !slices.Contains(lines, "DISPLAY="+d.Display) || buses != nil && !slices.Contains(lines, "DBUS_SESSION_BUS_ADDRESS="+buses.Session) {
		t.Errorf("%q", lines)
	}
	again, _, err := AskHidden(host)(t.Context())
	if err != nil || again.Display != d.Display {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	again.Close()
	running := h.workplace
	end()
	waittest.Receive(t, "the hidden desktop ends", running.gone)
	if _, _, err := d.Size(t.Context()); err == nil {
		t.Error("the display answers after the end of the connection")
	}
	if apps.Running(stubborn.PID) {
		t.Error("a program goes on where no one can see it")
	}
	if b := buses; b != nil {
		if _, err := os.Stat(strings.TrimPrefix(strings.Split(b.Session, ",")[0], "unix:path=")); err == nil {
			t.Error("the session bus has left its socket")
		}
	}
}

// Without the user's switch, the host starts no hidden desktop.
func TestTheHiddenDesktopNeedsItsSwitch(t *testing.T) {
	_, _, err := AskHidden(direct{New(Options{})})(t.Context())
	var refusal *guard.Refusal
	if !errors.As(err, &refusal) {
		t.Error(err)
	}
	if r, err := New(Options{}).Answer(t.Context(), methodStay, json.RawMessage("{}")); err != nil {
		t.Error(r, err)
	}
}
