package kit

// A Runner runs work off the UI goroutine. The zero value runs work on the calling
// goroutine.
type Runner struct {
	Begin func(func()) // runs a function on a new goroutine; the window waits for it at exit
	Post  func(func()) // queues a function for the UI goroutine
}

// Run runs work on a new goroutine, and then runs the returned function on the UI
// goroutine.
func (r Runner) Run(work func() (then func())) {
	if r.Begin == nil || r.Post == nil {
		work()()
		return
	}
	r.Begin(func() { r.Post(work()) })
}
