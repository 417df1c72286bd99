package debounce

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A log records the writes and the reported errors of a Writer.
type log struct {
	mu       sync.Mutex
	written  []string
	reported []error
	err      error // returned by each write
}

func (l *log) options() Options[string, string] {
	return Options[string, string]{
		Write: func(_ context.Context, key, value string) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.err == nil {
				l.written = append(l.written, key+"="+value)
			}
			return l.err
		},
		Fail:  func(err error) { l.reported = append(l.reported, err) },
		Pause: time.Second,
	}
}

// all returns everything that was written so far.
func (l *log) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.written)
}

func TestRunWritesTheNewestValueAfterThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l log
		w := New(l.options())
		ctx, cancel := context.WithCancel(t.Context())
		go w.Run(ctx)
		for i := range 5 {
			w.Put("a", fmt.Sprint(i))
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if len(l.all()) != 0 {
			t.Errorf("before the pause has passed it wrote %q", l.all())
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(l.all(), []string{"a=4"}) {
			t.Errorf("it wrote %q, want the newest value once", l.all())
		}
		w.Put("a", "last")
		cancel()
		synctest.Wait()
		if !slices.Equal(l.all(), []string{"a=4", "a=last"}) {
			t.Errorf("after the end it has written %q", l.all())
		}
	})
}

func TestAFailureIsReportedOnceAndTriedAgain(t *testing.T) {
	l := log{err: errors.New("the disk is full")}
	w := New(l.options())
	for _, value := range []string{"1", "2"} {
		w.Put("a", value)
		w.Flush(t.Context())
	}
	if len(l.reported) != 1 {
		t.Errorf("it reported %v, want one error", l.reported)
	}
	l.err = nil
	w.Flush(t.Context())
	w.Flush(t.Context())
	if !slices.Equal(l.all(), []string{"a=2"}) {
		t.Errorf("it wrote %q, want the newest value once", l.all())
	}
	l.err = errors.New("the disk is full")
	w.Put("a", "3")
	w.Flush(t.Context())
	if len(l.reported) != 2 {
		t.Errorf("after a success it reported %v, want the error again", l.reported)
	}
}

func TestRetryWritesWithoutAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := log{err: errors.New("locked")}
		w := New(l.options())
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go w.Run(ctx)
		w.Put("a", "1")
		time.Sleep(time.Minute)
		synctest.Wait()
		l.err = nil
		w.Retry()
		time.Sleep(time.Minute)
		synctest.Wait()
		if !slices.Equal(l.all(), []string{"a=1"}) {
			t.Errorf("it wrote %q", l.all())
		}
	})
}

// If a value arrives while the write of an older one fails, it counts as newer than the restored
// value.
func TestMergeKeepsTheOrder(t *testing.T) {
	type pair struct{ a, b string }
	var w *Writer[int, pair]
	var written []pair
	busy := true
	w = New(Options[int, pair]{
		Write: func(_ context.Context, _ int, v pair) error {
			if busy {
				busy = false
				w.Put(1, pair{a: "new"})
				return errors.New("busy")
			}
			written = append(written, v)
			return nil
		},
		Fail: func(error) {},
		Merge: func(older, newer pair) pair {
			if newer.a == "" {
				newer.a = older.a
			}
			if newer.b == "" {
				newer.b = older.b
			}
			return newer
		},
	})
	w.Put(1, pair{a: "old"})
	w.Put(1, pair{b: "kept"})
	w.Flush(t.Context())
	w.Flush(t.Context())
	if !slices.Equal(written, []pair{{"new", "kept"}}) {
		t.Errorf("it wrote %v", written)
	}
}

func TestLingerBoundsTheLastWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(Options[int, int]{
			Write:  func(ctx context.Context, _, _ int) error { <-ctx.Done(); return ctx.Err() },
			Fail:   func(error) {},
			Linger: 2 * time.Second,
		})
		ctx, cancel := context.WithCancel(t.Context())
		w.Put(1, 1)
		cancel()
		began := time.Now()
		w.Run(ctx)
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("Run ended after %v, want 2 s", took)
		}
	})
}
