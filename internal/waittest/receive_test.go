package waittest

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
)

// A record is a test that records its failure.
type record struct{ failed string }

func (*record) Helper() {}

func (r *record) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// A wait for something that never happens fails with its name. Other waits return at once.
func TestWaitsHaveALimit(t *testing.T) {
	for name, wait := range map[string]func(r *record, never chan string){
		"Receive": func(r *record, never chan string) { Receive(r, "an answer", never) },
		"Return":  func(r *record, never chan string) { Return(r, "an answer", func() { <-never }) },
		"Until":   func(r *record, never chan string) { Until(r, "an answer", func() bool { return false }) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var r record
				ended, never := make(chan bool), make(chan string)
				go func() {
					defer close(ended)
					wait(&r, never)
				}()
				<-ended
				if r.failed != "never: an answer" {
					t.Errorf("it fails with %q", r.failed)
				}
				close(never)
			})
		})
	}
	values := make(chan string, 1)
	values <- "x"
	if got := Receive(t, "a value", values); got != "x" {
		t.Errorf("%q", got)
	}
	close(values)
	if got := Receive(t, "the end", values); got != "" {
		t.Errorf("%q", got)
	}
	Return(t, "a function", func() {})
}
