//go:build linux

package client_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// During a call, a library looked for a cloud's metadata service, and goated asked the user
// about it. The refusal now only stays visible. goated still asks if the configuration names
// that service.
func TestALookForACloudAsksNobody(t *testing.T) {
	servertest.UsePython(t)
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	script := filepath.Join(t.TempDir(), "weather.py")
	if err := os.WriteFile(script, []byte(servertest.Small(t)+reaching), 0o600); err != nil {
		t.Fatal(err)
	}
	const cloud = "169.254.169.254"
	for _, args := range [][]string{nil, {"http://" + cloud + "/"}} {
		asked := make(chan sandbox.Permission, 1)
		h := host(t, client.Options{Data: t.TempDir(), Process: client.ProcessOptions{Permit: func(_ context.Context, _ client.Asker, p sandbox.Permission, held func()) bool {
			held()
			asked <- p
			return false
		}}})
		id := connect(t, h, client.Config{Path: script, Args: args})
		_, err := h.Call(t.Context(), id+"__fetch", map[string]any{"url": "http://" + cloud + "/"}, nil)
		if err == nil || !strings.Contains(err.Error(), "may not reach "+cloud) {
			t.Errorf("%v: %v", args, err)
		}
		select {
		case p := <-asked:
			if args == nil {
				t.Errorf("the user was asked: %+v", p)
			}
		default:
			if args != nil {
				t.Error("a service that the user names was refused without a question")
			}
		}
		if needs := h.Snapshot().Servers[0].Needs; args == nil && len(needs) > 0 {
			t.Errorf("it is said to need %+v", needs)
		}
	}
}
