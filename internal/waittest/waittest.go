// Package waittest waits in tests for what other goroutines and programs bring about.
//
// It must not know what that is. A package with a clock or with events of its own waits for
// these instead.
package waittest

import "time"

// patience is more than a busy machine takes for any step of a test.
const patience = 30 * time.Second

// A TB is a test, or a test of properties.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Until waits until done reports true, and fails the test if that takes half a minute.
func Until(t TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}
