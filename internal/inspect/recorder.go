package inspect

import "sync/atomic"

// A Recorder fills a log while it is on. The zero value is off and ready. It is safe for
// concurrent use.
type Recorder struct {
	// Earlier returns the last frames from before the recording. It is called once. Set it before
	// the first use; nil means that there are none.
	Earlier func() []Frame

	log     Log
	on      atomic.Bool
	changed atomic.Pointer[func()]
}

// Log returns the log into which r records.
func (r *Recorder) Log() *Log { return &r.log }

// On reports whether r records. A nil recorder never does.
func (r *Recorder) On() bool { return r != nil && r.on.Load() }

// Record starts or stops the recording.
func (r *Recorder) Record(on bool) { r.on.Store(on) }

// Begin adds the last frames from before the recording. That takes a moment, because they must be
// redacted.
func (r *Recorder) Begin() {
	if r.Earlier == nil {
		return
	}
	for _, f := range r.Earlier() {
		r.log.Add(f)
	}
	r.tell()
}

// Notify makes r call changed after each frame, on the connection's goroutine. changed must be fast
// and must not block. It may be nil.
func (r *Recorder) Notify(changed func()) { r.changed.Store(&changed) }

// Add adds a frame, if r is on.
func (r *Recorder) Add(f Frame) {
	if !r.On() {
		return
	}
	r.log.Add(f)
	r.tell()
}

func (r *Recorder) tell() {
	if changed := r.changed.Load(); changed != nil && *changed != nil {
		(*changed)()
	}
}
