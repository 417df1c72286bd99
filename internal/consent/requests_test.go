package consent

import (
	"fmt"
	"slices"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/config"
	"goated/internal/sandbox"
)

func TestEachNeedIsNewOnce(t *testing.T) {
	var r Requests
	s := client.Server{Confinement: client.Confinement{Needs: sandbox.Permissions{notes}}}
	if got := r.NewlyMissing("a", s); !slices.Equal(got, []sandbox.Permission{notes}) {
		t.Fatalf("new are %v", got)
	}
	s.Needs = append(s.Needs, network)
	if got := r.NewlyMissing("a", s); !slices.Equal(got, []sandbox.Permission{network}) {
		t.Errorf("new are %v, want the network alone", got)
	}
	if got := r.NewlyMissing("b", s); len(got) != 2 {
		t.Errorf("of another server new are %v", got)
	}
	r.Forget("a")
	if got := r.NewlyMissing("a", s); len(got) != 2 {
		t.Errorf("after Forget new are %v", got)
	}
}

func TestAServerCannotAskWithoutEnd(t *testing.T) {
	r := Requests{MaxAsked: 4}
	var s client.Server
	for i := range 9 {
		s.Needs = append(s.Needs, sandbox.Permission{Kind: sandbox.ToRead, Path: fmt.Sprintf("/srv/%d", i)})
	}
	if got := append(r.NewlyMissing("a", s), r.NewlyMissing("a", s)...); len(got) != 4 {
		t.Errorf("%d permissions are new, want 4", len(got))
	}
	var open Requests
	if got := open.NewlyMissing("a", s); len(got) != 9 {
		t.Errorf("without a bound %d are new, want 9", len(got))
	}
}

func TestOnlyServersInASandboxAsk(t *testing.T) {
	var r Requests
	for _, s := range []client.Server{{Bundled: true}, {Confinement: client.Confinement{NoSandbox: true}}} {
		s.Needs = sandbox.Permissions{notes}
		if got := r.NewlyMissing("a", s); len(got) > 0 {
			t.Errorf("%+v asks for %v", s, got)
		}
	}
}

// goated reported that a script that serves HTTP needs the network, beside the advice to connect to
// its URL. It also reported that for a server that needs Docker, which did not run with the network
// either.
func TestAServerThatNoPermissionHelpsIsNotAsked(t *testing.T) {
	s := client.Server{Confinement: client.Confinement{Needs: sandbox.Permissions{network}}}
	report := &client.FailureReport{}
	s.Err = &client.Error{Report: report}
	var r Requests
	for _, cause := range []diagnose.Cause{diagnose.HTTPServer, diagnose.SocketRefused, diagnose.ContainerRefused, diagnose.SSHRefused, diagnose.ModuleToRun} {
		if report.Cause = cause; len(r.NewlyMissing("a", s)) != 0 {
			t.Errorf("%s: it asks for the network", cause)
		}
		if p, ok := FirstMissing(s, ""); ok {
			t.Errorf("%s: a button allows it to %s", cause, p)
		}
	}
	if report.Cause = diagnose.NetworkRefused; len(r.NewlyMissing("a", s)) != 1 {
		t.Error("another server does not ask")
	}
}

func TestAskIsTrueOnceAndNeverForARefusal(t *testing.T) {
	var r Requests
	if !r.Ask("a", config.Launch{}, notes) || r.Ask("a", config.Launch{}, notes) {
		t.Error("it does not ask exactly once")
	}
	if !r.Ask("b", config.Launch{}, notes) {
		t.Error("another server is not asked about")
	}
	refused := config.Launch{Refused: sandbox.Permissions{network}}
	if r.Ask("a", refused, network) {
		t.Error("it asks about a refused permission")
	}
	if !r.Ask("a", config.Launch{}, network) {
		t.Error("a refusal that was taken back still counts")
	}
}
