package waittest

import "time"

// Receive waits for a value from a channel, or until the channel closes, and fails the test if that
// takes half a minute.
//
// A receive without a limit would run until the time limit of the whole package. That failure names
// no test, and the later tests of the package do not run.
func Receive[T any](t TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("never: %s", what)
		panic("unreachable: Fatalf ends the goroutine")
	}
}

// Return waits until f returns, and fails the test if that takes half a minute.
func Return(t TB, what string, f func()) {
	t.Helper()
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		f()
	}()
	Receive(t, what, returned)
}
