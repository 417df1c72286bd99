package main

import (
	"context"
	"testing"

	"goated/client"
	"goated/internal/config"
)

// Start pressed twice, or a switch flipped quickly, leaves one server, as the last press says.
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
