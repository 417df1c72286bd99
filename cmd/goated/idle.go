//go:build !headless && cgo && !ci

package main

import (
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

const (
	awake = time.Second            // time after the last event until a nap; longer than any animation of Fyne
	nap   = 200 * time.Millisecond // the longest sleep, because Fyne's own posts do not end it
)

// An idler lets the window sleep while nothing happens. Fyne's loop polls for events sixty times a
// second, which takes more than one percent of a CPU. An idler instead waits for events in GLFW,
// and wakes at the first one.
type idler struct {
	// Only the UI goroutine uses these fields.
	last time.Time // of the last event
	ran  bool      // a posted function has run, and the loop has not drawn the result yet

	mu     sync.Mutex
	queued int  // functions that were posted and have not run yet
	asleep bool // in GLFW; it can only be woken then
}

// start begins to watch for idle time. It must be called once on the UI goroutine, when the app
// runs.
func (r *idler) start() {
	r.last = time.Now()
	// Fyne's loop runs an animation once per iteration, after the events and before drawing. The
	// nap itself comes after drawing.
	ticker := fyne.NewAnimation(time.Hour, func(float32) {
		r.ran = false
		fyne.Do(r.doze)
	})
	ticker.RepeatCount = fyne.AnimationRepeatForever
	ticker.Start()
}

// post runs f on the UI goroutine, and wakes that if it sleeps. It may be called on any goroutine.
func (r *idler) post(f func()) {
	r.mu.Lock()
	r.queued++
	r.mu.Unlock()
	fyne.Do(func() {
		r.mu.Lock()
		r.queued--
		r.mu.Unlock()
		r.ran = true
		f()
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asleep {
		glfw.PostEmptyEvent()
	}
}

// doze waits for an event if there was none for a while and nothing is queued.
func (r *idler) doze() {
	if r.ran || time.Since(r.last) < awake {
		return
	}
	r.mu.Lock()
	r.asleep = r.queued == 0
	sleep := r.asleep
	r.mu.Unlock()
	if !sleep {
		return
	}
	began := time.Now()
	glfw.WaitEventsTimeout(nap.Seconds())
	r.mu.Lock()
	r.asleep = false
	posted := r.queued > 0
	r.mu.Unlock()
	if !posted && time.Since(began) < nap {
		r.last = time.Now() // an event ended the nap
	}
}
