// Package waittest waits in tests for the effects of other goroutines and programs.
//
// It must not know these effects. A package that has a clock or events waits for those instead.
package waittest

import "time"

// patience is longer than any step of a test takes on a busy machine.
const patience = 30 * time.Second

// A TB is a test, or a property test.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Until waits until done returns true, and fails the test if that takes half a minute.
func Until(t TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}
