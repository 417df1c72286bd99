package consent

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
)

var (
	network = sandbox.Permission{Kind: sandbox.ToNetwork}
	notes   = sandbox.Permission{Kind: sandbox.ToRead, Path: "/srv/notes"}
	monday  = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
)

func TestDecisionsChangeALaunch(t *testing.T) {
	l := config.Launch{Path: "/a.py"}
	Refuse(notes, monday)(&l)
	if got, ok := l.Refused.Find(notes); !ok || got.At != monday {
		t.Fatalf("refused: %+v", l.Refused)
	}
	Allow(notes, monday)(&l)
	if got, ok := l.Allowed.Find(notes); !ok || got.At != monday || l.Refused.Has(notes) {
		t.Errorf("allowed after it was refused: %+v", l)
	}
	Revoke(notes)(&l)
	if l.Allowed.Has(notes) || l.Refused.Has(notes) {
		t.Errorf("revoked: %+v", l)
	}
	Refuse(network, monday)(&l)
	AskAgain(network)(&l)
	if l.Refused.Has(network) {
		t.Errorf("it stays refused: %+v", l)
	}
	Unconfine(true)(&l)
	Confine(false)(&l)
	if !l.NoSandbox || !l.Unconfined {
		t.Errorf("without the sandbox: %+v", l)
	}
	Confine(true)(&l)
	if l.NoSandbox || l.Unconfined {
		t.Errorf("in the sandbox again: %+v", l)
	}
}

func TestRememberedAddsTheDecisions(t *testing.T) {
	s := config.Settings{}.ChangeServer(config.Launch{Path: "/a.py", Args: []string{"-v"}}, Allow(network, monday))
	s = s.ChangeServer(config.Launch{Path: "/b.py"}, Confine(false))
	if c := WithSavedPermissions(s, client.Config{Path: "/a.py", Args: []string{"-v"}, Dir: "/srv"}); c.Grant.Network != sandbox.AnyNetwork || c.NoSandbox || c.Dir != "/srv" {
		t.Errorf("a.py -v runs with %+v", c)
	}
	if c := WithSavedPermissions(s, client.Config{Path: "/a.py"}); c.Grant.Network == sandbox.AnyNetwork {
		t.Errorf("a.py with other arguments runs with %+v", c)
	}
	if c := WithSavedPermissions(s, client.Config{Path: "/b.py"}); !c.NoSandbox {
		t.Errorf("b.py runs with %+v", c)
	}
	if c := WithSavedPermissions(config.Settings{}, client.Config{Path: "/b.py", NoSandbox: true}); !c.NoSandbox {
		t.Errorf("an unknown server loses the caller's choice: %+v", c)
	}
}

func TestRunningFindsTheSameLaunch(t *testing.T) {
	l := config.Launch{Path: "/a.py", Args: []string{"-v"}}
	servers := []client.Server{
		{ID: "same", Path: "/a.py", Args: []string{"-v"}, Status: client.Connected},
		{ID: "failed", Path: "/a.py", Args: []string{"-v"}, Status: client.Failed},
		{ID: "gone", Path: "/a.py", Args: []string{"-v"}, Status: client.Disconnected},
		{ID: "bundled", Path: "/a.py", Args: []string{"-v"}, Status: client.Connected, Bundled: true},
		{ID: "other", Path: "/a.py", Status: client.Connected},
	}
	if got := RunningIDs(servers, l); !slices.Equal(got, []string{"same", "failed"}) {
		t.Errorf("running are %q", got)
	}
}

// A fakeHost is a [Host] with one server.
type fakeHost struct{ config client.Config }

func (h *fakeHost) Config(id string) (client.Config, bool) { return h.config, id == "a" }

func (h *fakeHost) Allow(_ context.Context, id string, g sandbox.Grant) error {
	if id != "a" {
		return errGone
	}
	h.config.Grant = g
	return nil
}

var errGone = errors.New("there is no such server")

func TestGiveAndTakeKeepTheOtherPermissions(t *testing.T) {
	h := &fakeHost{config: client.Config{Grant: sandbox.Permissions{notes}.Grant()}}
	if err := AddPermission(t.Context(), h, "a", network); err != nil {
		t.Fatal(err)
	}
	if ps := h.config.Grant.Permissions(); !ps.Has(notes) || !ps.Has(network) {
		t.Errorf("after Give: %v", ps)
	}
	if err := RemovePermission(t.Context(), h, "a", notes); err != nil {
		t.Fatal(err)
	}
	if ps := h.config.Grant.Permissions(); ps.Has(notes) || !ps.Has(network) {
		t.Errorf("after Take: %v", ps)
	}
	if err := AddPermission(t.Context(), h, "gone", network); !errors.Is(err, errGone) {
		t.Errorf("a server that is gone: %v", err)
	}
}

func TestLackedIsWhatTheUserMayGive(t *testing.T) {
	s := client.Server{Confinement: client.Confinement{Needs: sandbox.Permissions{notes, network}}}
	if p, ok := FirstMissing(s, ""); !ok || p != notes {
		t.Errorf("of any kind: %v, %t", p, ok)
	}
	if p, ok := FirstMissing(s, sandbox.ToNetwork); !ok || p != network {
		t.Errorf("of the network: %v, %t", p, ok)
	}
	if _, ok := FirstMissing(s, sandbox.ToDesktop); ok {
		t.Error("it lacks the desktop")
	}
	for _, s := range []client.Server{{Confinement: client.Confinement{Needs: s.Needs}, Bundled: true}, {Confinement: client.Confinement{Needs: s.Needs, NoSandbox: true}}} {
		if _, ok := FirstMissing(s, ""); ok {
			t.Errorf("%+v lacks something", s)
		}
	}
}
