package client_test

import (
	"errors"
	"slices"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// A saved server whose secret could not be loaded ran without it and looked ready.
func TestAServerWithoutItsValueDoesNotStart(t *testing.T) {
	t.Parallel()
	h := client.New(client.Options{})
	defer h.Close()
	c := client.Config{Path: servertest.Script("raw.py"), NoSandbox: true, Env: []string{"SHADE=green", "API_KEY="}}
	c.Missing = client.MissingValues{Names: []string{"API_KEY"}, Err: errors.New("the keyring does not answer")}
	_, err := client.ConnectSaved(t.Context(), h, c)
	const why = "Failed to start server: the value of API_KEY can't be read: the keyring does not answer"
	if err == nil || err.Error() != why || wording.Advice(err) == "" {
		t.Errorf("it says %v", err)
	}
	s := h.Snapshot().Servers
	if len(s) != 1 || s[0].Status != client.Failed {
		t.Fatalf("the list is %+v", s)
	}
	var e *client.Error
	if !errors.As(s[0].Err, &e) || e.Report.Cause != diagnose.ValueMissing || e.Report.Args.Variable != "API_KEY" {
		t.Errorf("the report is %+v", e.Report)
	}
	id := s[0].ID
	if h.Restart(t.Context(), id) == nil || h.Snapshot().Servers[0].Status != client.Failed {
		t.Error("a restart runs it without the value")
	}
	if now, _ := h.Config(id); !slices.Equal(now.Env, c.Env) {
		t.Errorf("its variables are %q", now.Env)
	}
	// The next start has the value and replaces the failed server.
	c.Env, c.Missing = []string{"SHADE=green", "API_KEY=s3cret"}, client.MissingValues{}
	if got, err := client.ConnectSaved(t.Context(), h, c); err != nil || got != id || len(h.Snapshot().Servers) != 1 {
		t.Errorf("the start returns %q, %v: %+v", got, err, h.Snapshot().Servers)
	}
}

// The server starts after the user enters the value or removes the variable.
func TestAChangedServerNeedsTheValueNoMore(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{"entered": {"API_KEY=s3cret"}, "removed": nil} {
		t.Run(name, func(t *testing.T) {
			h := client.New(client.Options{})
			defer h.Close()
			c := client.Config{Path: servertest.Script("raw.py"), NoSandbox: true, Env: []string{"API_KEY="}, Missing: client.MissingValues{Names: []string{"API_KEY"}}}
			_, _ = client.ConnectSaved(t.Context(), h, c)
			if err := h.Change(t.Context(), h.Snapshot().Servers[0].ID, client.Config{Env: env}); err != nil {
				t.Error(err)
			}
		})
	}
}
