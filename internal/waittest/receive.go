package waittest

import "time"

// Receive waits for a value of a channel, or for its end, and fails the test if that takes half
// a minute.
//
// A receive without a limit ends with the time limit of the whole package: the failure then has
// no name, and no later test of the package runs.
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
