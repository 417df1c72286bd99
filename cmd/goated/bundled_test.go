package main

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"goated/client"
	"goated/internal/config"
	"goated/internal/proctest"
	"goated/internal/waittest"
)

// If the user presses Start twice or flips a switch quickly, one server runs, as the last press
// decides.
func TestABundledServerStartsOnce(t *testing.T) {
	p := newPlace(t)
	a := &app{options: &options{data: p.home}, host: client.New(client.Options{Unconfined: func(context.Context, string, client.Config) bool { return true }}), self: program, later: new(background)}
	t.Cleanup(a.host.Close)
	b := config.Bundled{Name: "llmem"}
	for _, presses := range [][]bool{{true, false, true, true}, {true, false}} {
		for _, on := range presses {
			a.switchBundled(t.Context(), b, on)
		}
		a.later.Wait()
		want := 0
		if presses[len(presses)-1] {
			want = 1
		}
		if s := a.host.Snapshot().Servers; len(s) != want || want == 1 && s[0].Status != client.Connected {
			t.Errorf("after %v, the servers are %+v", presses, s)
		}
	}
}

// While one bundled server started, the switch of another one had no effect.
func TestABundledServerDoesNotWaitForAnother(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it needs a shell script as goated")
	}
	p := newPlace(t)
	slow := filepath.Join(p.home, "slow")
	if err := proctest.WriteProgram(slow, []byte("#!/bin/sh\nwhile read -r line; do :; done\n")); err != nil {
		t.Fatal(err)
	}
	a := &app{options: &options{data: p.home}, host: client.New(client.Options{Unconfined: func(context.Context, string, client.Config) bool { return true }}), self: slow, later: new(background)}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		a.later.Wait()
		a.host.Close()
	})
	status := func(name string) client.Status {
		for _, s := range a.host.Snapshot().Servers {
			if s.Name == name {
				return s.Status
			}
		}
		return client.Disconnected
	}
	a.switchBundled(ctx, config.Bundled{Name: "ghost"}, true)
	waittest.Until(t, "ghost starts", func() bool { return status("ghost") == client.Connecting })
	a.self = program
	a.switchBundled(ctx, config.Bundled{Name: "llmem"}, true)
	waittest.Until(t, "llmem runs", func() bool { return status("llmem") == client.Connected })
	if got := status("ghost"); got != client.Connecting {
		t.Errorf("ghost is %v", got)
	}
}
