package kit

// A Runner runs work off the UI goroutine. The zero value runs all of it where
// it is called.
type Runner struct {
	Begin func(func()) // runs a function on a goroutine that the window waits for
	Post  func(func()) // runs a function on the UI goroutine, soon
}

// Run does work on a goroutine of its own, and then the function that it returns
// on the UI goroutine.
func (r Runner) Run(work func() (then func())) {
	if r.Begin == nil || r.Post == nil {
		work()()
		return
	}
	r.Begin(func() { r.Post(work()) })
}
