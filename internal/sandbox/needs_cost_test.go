package sandbox

import "testing"

// Each change to a server checks what all servers lack, so that must be cheap. It once compiled its
// patterns each time, with 261 allocations, which made the start of 100 servers quadratic.
func TestNeedsAreCheap(t *testing.T) {
	p := Policy{Read: []string{"/usr"}, Network: NamedHosts}
	e := Evidence{Text: []string{"listening", "ready", "a question came"}}
	if n := testing.AllocsPerRun(100, func() { Needs(p, e) }); n > 20 {
		t.Errorf("%v allocations", n)
	}
}
