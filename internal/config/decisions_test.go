package config

import (
	"fmt"
	"testing"
	"time"

	"goated/internal/sandbox"
)

// A user's decisions about a server survive every other change of its settings.
func TestDecisionsStay(t *testing.T) {
	net := sandbox.Permission{Kind: sandbox.ToNetwork, At: time.Unix(1, 0)}
	l := Launch{Path: "/a.py"}
	s := Settings{}.WithStart(l, true).ChangeServer(l, func(l *Launch) { l.Allowed = l.Allowed.With(net) })
	if len(s.Recent) != 0 || !s.Launch[0].Allowed.Has(net) {
		t.Fatalf("%+v", s)
	}
	s = s.WithRecent(Launch{Path: "/a.py", Dir: "/new"})
	next := Launch{Path: "/a.py", Args: []string{"-v"}}
	s = s.WithReplaced(l, next)
	for i := range 2 * maxRecent {
		s = s.WithRecent(Launch{Path: fmt.Sprintf("/%d.py", i)})
	}
	if !s.Saved(next).Allowed.Has(net) || !s.Launch[0].Allowed.Has(net) || len(s.Recent) != maxRecent {
		t.Errorf("it is forgotten: %+v", s)
	}
	if got := s.DecidedServers(); len(got) != 1 || !got[0].Same(next) {
		t.Errorf("decided are %+v", got)
	}
	s = s.ChangeServer(next, func(l *Launch) { l.Allowed = l.Allowed.Without(net) })
	if len(s.DecidedServers()) != 0 {
		t.Errorf("revoked, there still is %+v", s.DecidedServers())
	}
}

// A recent server with a decision stays in the list longer than servers without one, regardless of
// its position.
func TestDecisionsOutliveOtherServers(t *testing.T) {
	net := sandbox.Permission{Kind: sandbox.ToNetwork, At: time.Unix(1, 0)}
	server := func(n int) Launch { return Launch{Path: fmt.Sprintf("/%d.py", n)} }
	for decided := range maxRecent {
		var s Settings
		for i := range maxRecent {
			s = s.WithRecent(server(i))
		}
		s = s.ChangeServer(server(decided), func(l *Launch) { l.Allowed = l.Allowed.With(net) })
		for i := range 2 * maxRecent {
			s = s.WithRecent(server(maxRecent + i))
		}
		if !s.Saved(server(decided)).Allowed.Has(net) || len(s.Recent) != maxRecent {
			t.Errorf("server %d is forgotten: %+v", decided, s.Recent)
		}
	}
}
