//go:build linux

package client_test

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
)

// F18: the host drains a server that floods its stderr with GOATED_SOAK_STDERR MiB, 64 by
// default. It keeps a bounded part of the output. Calls to another server are hardly slower.
func TestSoakStderr(t *testing.T) {
	mib := soak("GOATED_SOAK_STDERR", 64)
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: time.Hour}})
	good, bad := misbehave(t, "plain"), misbehave(t, "stderr", strconv.Itoa(mib))
	good.Name, bad.Name = "good", "bad"
	connect(t, h, good)
	connect(t, h, bad)
	calls := func(f *figure, until <-chan struct{}) {
		for {
			select {
			case <-until:
				return
			default:
			}
			began := time.Now()
			if _, err := h.Call(t.Context(), "good__one", nil, nil); err != nil {
				t.Error(err)
				return
			}
			f.took = append(f.took, time.Since(began))
			time.Sleep(time.Millisecond)
		}
	}
	alone, beside := figure{what: "a call, alone"}, figure{what: "a call, beside a flood of stderr"}
	quiet := make(chan struct{})
	time.AfterFunc(time.Duration(min(mib, 5000))*time.Millisecond, func() { close(quiet) })
	calls(&alone, quiet)
	flooded := make(chan struct{})
	began := time.Now()
	var took time.Duration
	go func() {
		defer close(flooded)
		if r, err := h.Call(t.Context(), "bad__one", nil, nil); err != nil || said(t, r) != "done" {
			t.Errorf("%v %v", r, err)
		}
		took = time.Since(began)
	}()
	calls(&beside, flooded)
	kept := len(strings.Join(logLines(h, "bad"), "\n"))
	t.Logf("%d MiB in %v (%.0f MiB/s), %d bytes are kept", mib, took.Round(time.Millisecond), float64(mib)/took.Seconds(), kept)
	t.Log(&alone)
	t.Log(&beside)
	t.Logf("at p99 a call takes %v longer", beside.at(99)-alone.at(99))
	if kept == 0 || kept > 1<<20 {
		t.Errorf("%d bytes of stderr are kept", kept)
	}
	if late(beside.at(99), alone.at(99)+20*time.Millisecond) {
		t.Errorf("%s", &beside)
	}
}

// F38: a call reports GOATED_SOAK_PROGRESS steps of progress, 100,000 by default. The host
// passes them on at most thirty times a second, and always passes on the last one.
func TestSoakProgress(t *testing.T) {
	t.Parallel()
	steps := soak("GOATED_SOAK_PROGRESS", 100000)
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: time.Hour}})
	connect(t, h, misbehave(t, "progress", strconv.Itoa(steps)))
	var told int
	var last float64
	began := time.Now()
	r, err := h.Call(t.Context(), "m__one", nil, func(p *mcp.ProgressNotificationParams) {
		if p.Progress < last {
			t.Errorf("%v comes after %v", p.Progress, last)
		}
		told, last = told+1, p.Progress
	})
	if err != nil || said(t, r) != "done" {
		t.Fatalf("%v %v", r, err)
	}
	took := time.Since(began)
	t.Logf("%d steps in %v (%.0f a second) were told %d times (%.1f a second)", steps, took.Round(time.Millisecond),
		float64(steps)/took.Seconds(), told, float64(told)/took.Seconds())
	if told == 0 || told > int(took.Seconds()*30)+2 {
		t.Errorf("told %d times", told)
	}
	if last != float64(steps) {
		t.Errorf("the last one reported is %v of %d", last, steps)
	}
}

// F06, F07: measures the memory for a frame of GOATED_SOAK_FRAME MiB, 2 by default, and for a
// frame without an end.
func TestSoakFrames(t *testing.T) {
	frame := soak("GOATED_SOAK_FRAME", 2) << 20
	h := host(t, client.Options{MaxFrame: frame})
	sized, endless := misbehave(t, "size"), misbehave(t, "endless")
	sized.Name, endless.Name = "sized", "endless"
	connect(t, h, sized)
	connect(t, h, endless)
	for _, tt := range []struct {
		what, tool string
		size       int
		fails      bool
	}{
		{"one byte less than the limit", "sized__one", frame - 1, false},
		{"the limit", "sized__one", frame, false},
		{"one byte more", "sized__one", frame + 1, true},
		{"no end", "endless__one", 0, true},
	} {
		debug.FreeOSMemory()
		before := resident(t)
		peak := before
		done := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
					peak = max(peak, resident(t))
				}
			}
		})
		began := time.Now()
		_, err := h.Call(t.Context(), tt.tool, map[string]any{"size": tt.size}, nil)
		took := time.Since(began)
		close(done)
		wg.Wait()
		if (err != nil) != tt.fails {
			t.Errorf("%s: %v", tt.what, err)
		}
		t.Logf("%-30s of %d MiB: %7v, %5.1f MiB more resident at the peak, %.2f times the limit", tt.what, frame>>20,
			took.Round(time.Millisecond), float64(peak-before)/(1<<20), float64(peak-before)/float64(frame))
	}
}

// resident returns the resident memory of this process, in bytes.
func resident(t *testing.T) int {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Error(err)
		return 0
	}
	pages, _ := strconv.Atoi(string(bytes.Fields(data)[1]))
	return pages * os.Getpagesize()
}
