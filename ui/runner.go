package ui

// A runner runs work off the UI goroutine. The zero value runs all of it where
// it is called.
type runner struct {
	begin func(func()) // runs a function on a goroutine that the window waits for
	post  func(func()) // runs a function on the UI goroutine, soon
}

// run does work on a goroutine of its own, and then the function that it returns
// on the UI goroutine.
func (r runner) run(work func() (then func())) {
	if r.begin == nil || r.post == nil {
		work()()
		return
	}
	r.begin(func() { r.post(work()) })
}
