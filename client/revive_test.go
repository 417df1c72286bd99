//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/client"
)

// A server that dies is back before long, under its id, with its tools; the call
// that it died of is not made again.
func TestRevival(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Restart: true})
	id := connect(t, h, misbehave(t, "die"))
	began := time.Now()
	_, err := h.Call(t.Context(), "m__one", nil, nil)
	if want := "Server disconnected during execution"; !errors.Is(err, client.ErrDisconnected) || err.Error() != want {
		t.Fatalf("the call says %v", err)
	}
	if took := time.Since(began); took > 100*time.Millisecond+slack {
		t.Errorf("the call took %v to fail", took)
	}
	for s := range h.Watch(t.Context()) {
		if srv := s.Servers[0]; srv.Status == client.Failed && srv.Err != nil {
			if srv.RetryAt.IsZero() || len(srv.Tools) > 0 {
				t.Errorf("the card, meanwhile: %+v", srv)
			}
			break
		}
	}
	back(t, h, id)
	if took := time.Since(began); took > 2*time.Second+slack {
		t.Errorf("it was back after %v", took)
	}
	r, err := h.Call(t.Context(), "m__stat", nil, nil)
	if err != nil || !strings.HasPrefix(said(t, r), "calls=1 ") { // this one
		t.Errorf("the call was made again: %v %v", r, err)
	}
}

func back(t *testing.T, h *client.Host, id string) {
	t.Helper()
	eventually(t, "it is back", func() bool {
		s := h.Snapshot().Servers
		return len(s) == 1 && s[0].ID == id && s[0].Status == client.Connected && len(s[0].Tools) == 2 && s[0].Err == nil && s[0].RetryAt.IsZero()
	})
}

// A server that closes a stream and runs on is put away and brought back, as one
// that ended.
func TestRevivalOfTheDeafAndTheMute(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"mute", "deafen", "deafidle"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{Restart: true})
			id := connect(t, h, misbehave(t, mode))
			_, _ = h.Call(t.Context(), "m__one", nil, nil)
			eventually(t, "it is put away, and will be brought back", func() bool {
				s := h.Snapshot().Servers[0]
				return s.Status == client.Failed && errors.Is(s.Err, client.ErrProtocol) && !s.RetryAt.IsZero()
			})
			back(t, h, id)
			if r, err := h.Call(t.Context(), "m__stat", nil, nil); err != nil || !strings.HasPrefix(said(t, r), "calls=1 ") {
				t.Errorf("%v %v", r, err)
			}
		})
	}
}

// One that ends again and again is left alone in the end, with the reason.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as the pauses")
	}
	h := host(t, client.Options{Restart: true})
	connect(t, h, misbehave(t, "looping"))
	deadline := time.Now().Add(45 * time.Second)
	for {
		s := h.Snapshot().Servers[0]
		if s.Status == client.Failed && s.Err != nil && s.RetryAt.IsZero() {
			if !strings.HasSuffix(s.Err.Error(), "it ended 6 times within a minute and is not started again") || !strings.Contains(s.Err.Error(), "not again") {
				t.Errorf("the card says %q", s.Err)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it never gives up: %+v", s)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// While it waits to be brought back, a server can be dismissed, and the host
// closed.
func TestDismissalOfTheDead(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Restart: true})
	id := connect(t, h, misbehave(t, "die"))
	_, _ = h.Call(t.Context(), "m__one", nil, nil)
	if err := h.Disconnect(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	time.Sleep(700 * time.Millisecond)
	if s := h.Snapshot().Servers; len(s) != 0 {
		t.Errorf("it is back: %+v", s)
	}
	connect(t, h, misbehave(t, "die"))
	_, _ = h.Call(t.Context(), "m__one", nil, nil)
	began := time.Now()
	h.Close()
	if took := time.Since(began); took > time.Second {
		t.Errorf("closing took %v", took)
	}
}

// The second start of a server that lets server/discover lie does not wait for
// it; a cache of rubbish is no cache, and is replaced.
func TestEraCache(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "eras.json")
	if err := os.WriteFile(cache, []byte("{rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := func() time.Duration {
		h := host(t, client.Options{EraCache: cache})
		began := time.Now()
		connect(t, h, misbehave(t, "silent"))
		took := time.Since(began)
		h.Close()
		return took
	}
	first, second := start(), start()
	if first < 3*time.Second || second > time.Second+slack {
		t.Errorf("the first start took %v, the second %v", first, second)
	}
	left, _ := filepath.Glob(cache + ".*")
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// What is known wrongly is found out again.
	data, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, []byte(strings.ReplaceAll(string(data), "2025-11-25", "1999-01-01")), 0o600); err != nil {
		t.Fatal(err)
	}
	if third := start(); third < 3*time.Second {
		t.Errorf("with a version that there is not it took %v", third)
	}
}

// A storm of changes is listed once a second at most.
func TestStormIsListedRarely(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "storm", "50000"))
	began := time.Now()
	for range 5 {
		if _, err := h.Call(t.Context(), "m__one", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	r, err := h.Call(t.Context(), "m__stat", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, lists, _ := strings.Cut(said(t, r), "lists=")
	if most := int(time.Since(began).Seconds()) + 3; len(lists) > 1 || lists[0] > byte('0'+most) {
		t.Errorf("listed %s times in %v", lists, time.Since(began))
	}
}

// A server that heeds neither the end of its input nor SIGTERM is gone in time,
// also while a call runs.
func TestCloseInTime(t *testing.T) {
	t.Parallel()
	f := figure{what: "closing, SIGTERM ignored", goal: 2200 * time.Millisecond}
	var mu sync.Mutex
	closes := func() {
		h := host(t, client.Options{})
		connect(t, h, misbehave(t, "deaf"))
		connect(t, h, misbehave(t, "hangcall"))
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = h.Call(t.Context(), "m-2__one", nil, nil)
		}()
		time.Sleep(20 * time.Millisecond)
		began := time.Now()
		h.Close()
		took := time.Since(began)
		<-done
		mu.Lock()
		f.took = append(f.took, took)
		mu.Unlock()
	}
	work := make(chan int)
	var wg sync.WaitGroup
	for range 8 { // it is all waiting
		wg.Go(func() {
			for range work {
				closes()
			}
		})
	}
	for i := range soak("GOATED_SOAK_CLOSES", 3) {
		work <- i
	}
	close(work)
	wg.Wait()
	f.check(t)
}
