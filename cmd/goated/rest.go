//go:build !headless && cgo && !ci

package main

import (
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// How long the window stays awake after something happened in it, which is
// longer than any of Fyne's own animations; and how long it sleeps at most,
// since what Fyne itself posts does not wake it.
const (
	awake = time.Second
	nap   = 200 * time.Millisecond
)

// A rest lets the window sleep while nothing happens. Fyne's loop asks for
// events sixty times a second, whatever there is to do, which takes more than a
// percent of a CPU; a rest has it wait for them in GLFW instead. That ends with
// the first event, so nothing is answered later than before.
type rest struct {
	// These belong to the UI goroutine.
	last time.Time // something happened
	ran  bool      // something ran that the loop has not drawn yet

	mu     sync.Mutex
	queued int  // posted and not run yet
	asleep bool // in GLFW; it may be woken only then
}

// start begins to rest. It belongs to the UI goroutine, once app runs.
func (r *rest) start() {
	r.last = time.Now()
	// An animation is how Fyne's loop calls somebody: once a turn, after the
	// events and before it draws. The nap itself comes after the drawing.
	pulse := fyne.NewAnimation(time.Hour, func(float32) {
		r.ran = false
		fyne.Do(r.doze)
	})
	pulse.RepeatCount = fyne.AnimationRepeatForever
	pulse.Start()
}

// post runs f on the UI goroutine, soon, whatever it sleeps in. It is fyne.Do,
// and may be called from any goroutine.
func (r *rest) post(f func()) {
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

// doze waits for an event, if nothing has happened for a while and nothing is
// to be done.
func (r *rest) doze() {
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
		r.last = time.Now() // it was an event: a key, the pointer, the desktop
	}
}
