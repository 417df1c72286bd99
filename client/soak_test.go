//go:build linux

package client_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"goated/client"
)

// A measure counts resources that must not grow.
type measure struct {
	goroutines, files, processes int
	memory                       uint64 // bytes of live heap
}

func take(id string) measure {
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd")
	return measure{runtime.NumGoroutine(), len(files), len(descendants(id)), m.HeapAlloc}
}

// settled waits for the goroutines of the runtime and of the SDK to end.
func settled(id string, want measure) measure {
	now := take(id)
	for range 100 {
		if now.goroutines <= want.goroutines && now.files <= want.files && now.processes <= want.processes {
			break
		}
		time.Sleep(50 * time.Millisecond)
		now = take(id)
	}
	return now
}

// inParallel runs work n times, spread over several goroutines.
func inParallel(goroutines, n int, work func()) {
	turns := make(chan struct{})
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range turns {
				work()
			}
		})
	}
	for range n {
		turns <- struct{}{}
	}
	close(turns)
	wg.Wait()
}

// F30: a server is connected and disconnected at a random phase of either. GOATED_SOAK_CYCLES
// sets the number of times, 60 by default and 10,000 in full. Nothing is left afterwards.
func TestSoakCycles(t *testing.T) {
	id := mark(t)
	server := misbehave(t, "plain", id)
	h := host(t, client.Options{Process: client.ProcessOptions{Keeper: append(keeper(t), id)}})
	cycle := func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		phase := time.Duration(rand.Int64N(int64(60 * time.Millisecond)))
		if rand.IntN(2) == 0 {
			stop := time.AfterFunc(phase, cancel) // during the connection
			defer stop.Stop()
			if server, err := h.Connect(ctx, server); err == nil {
				_ = h.Disconnect(t.Context(), server)
			}
			return
		}
		server, err := h.Connect(ctx, server)
		if err != nil {
			t.Error(err)
			return
		}
		called := make(chan struct{})
		go func() { // during a call
			defer close(called)
			_, _ = h.Call(ctx, server+"__one", nil, nil)
		}()
		time.Sleep(phase / 20)
		_ = h.Disconnect(t.Context(), server)
		<-called
	}
	run := func(n int) { inParallel(4, n, cycle) }
	run(20)
	before := take(id)
	cycles := soak("GOATED_SOAK_CYCLES", 60)
	began := time.Now()
	run(cycles)
	after := settled(id, before)
	t.Logf("%d cycles in %v: goroutines %+d, files %+d, processes %+d, heap %+d bytes (%+d a cycle)", cycles, time.Since(began).Round(time.Second),
		after.goroutines-before.goroutines, after.files-before.files, after.processes-before.processes,
		int64(after.memory)-int64(before.memory), (int64(after.memory)-int64(before.memory))/int64(cycles))
	flat(t, before, after)
}

func flat(t *testing.T, before, after measure) {
	t.Helper()
	if after.goroutines > before.goroutines || after.files > before.files || after.processes > before.processes {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if after.memory > before.memory+4<<20 {
		t.Errorf("the heap grew from %d to %d KiB", before.memory>>10, after.memory>>10)
	}
}

// Every second, something goes wrong with one of 32 servers. GOATED_SOAK sets the duration, for
// example 72h. By default, each fault happens once. The other servers answer during every
// fault.
func TestSoakFaults(t *testing.T) {
	last, err := time.ParseDuration(os.Getenv("GOATED_SOAK"))
	every := time.Second
	id := mark(t)
	good := soak("GOATED_SOAK_SERVERS", 32)
	if os.Getenv("GOATED_SOAK") == "" {
		good = 6
	}
	h := host(t, client.Options{Restart: true, Timeouts: client.Timeouts{Call: 2 * time.Second, Connect: 20 * time.Second}, MaxFrame: small})
	idle := take(id)
	modes := []string{"die", "noise", "size", "endless", "deep", "twice", "closes-stdout", "segv", "stop", "hangcall", "unread", "storm", "progress", "stderr", "blank", "family", "closes-stdin", "looping", "interrogates"}
	choose := func(int64) string { return modes[rand.IntN(len(modes))] }
	if err != nil {
		every = 100 * time.Millisecond
		last = time.Duration(len(modes))*every + every/2
		choose = func(n int64) string { return modes[int(n)%len(modes)] }
	}
	var calls, failures, faults atomic.Int64
	var names []string
	for i := range good {
		server := misbehave(t, "plain", id)
		server.Name = "good" + strconv.Itoa(i)
		names = append(names, connect(t, h, server))
		if _, err := h.Call(t.Context(), names[i]+"__one", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	quiet := take(id)
	ctx, cancel := context.WithTimeout(t.Context(), last)
	defer cancel()
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			for ctx.Err() == nil {
				if _, err := h.Call(t.Context(), name+"__one", nil, nil); err != nil {
					failures.Add(1)
					t.Errorf("%s: %v", name, err)
				}
				calls.Add(1)
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	for tick := time.NewTicker(every); ctx.Err() == nil; {
		select {
		case <-tick.C:
			wg.Go(func() {
				mode := choose(faults.Add(1))
				bad := misbehave(t, mode, "200000")
				if mode == "family" {
					bad = misbehave(t, mode, id)
				}
				bad.Name = mode
				server, err := h.Connect(t.Context(), bad)
				if err != nil {
					return // the looping server, if it exited first
				}
				_, _ = h.Call(t.Context(), server+"__one", nil, nil)
				_ = h.Disconnect(t.Context(), server)
			})
		case <-ctx.Done():
			tick.Stop()
		}
	}
	wg.Wait()
	if err := h.Check(); err != nil {
		t.Error(err)
	}
	for _, s := range h.Snapshot().Servers {
		if s.Status != client.Connected || s.Err != nil {
			_ = h.Disconnect(t.Context(), s.ID) // a looping server that is being restarted
		}
	}
	after := settled(id, quiet)
	t.Logf("%v, %d faults beside %d calls of %d servers, %d of which failed: goroutines %+d, files %+d, processes %+d, heap %+d KiB", last,
		faults.Load(), calls.Load(), good, failures.Load(), after.goroutines-quiet.goroutines, after.files-quiet.files,
		after.processes-quiet.processes, (int64(after.memory)-int64(quiet.memory))>>10)
	flat(t, quiet, after)
	h.Close()
	if left := settled(id, idle); left.processes > 0 {
		t.Errorf("%d processes are left", left.processes)
	}
}
