//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// In the terminal chat, a call that needs a host waits for the user. If the user says no, the call
// fails, and the next call asks again. If the user says yes, the call continues.
func TestTerminalAsksForAHostDuringACall(t *testing.T) {
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	p := newPlace(t)
	url, visits, _ := station(t)
	script := p.write("weather.py", servertest.Small(t)+fmt.Sprintf(`
import urllib.request

server = MCPServer("weather")

@server.tool()
def forecast() -> str:
    """The forecast."""
    return "Sunny, says " + urllib.request.urlopen(%q).read().decode()

server.run()
`, url))
	s, end := p.screen("chat", "--server", script)
	s.wait("› ")
	for _, answer := range []string{"n", "y"} {
		s.enter("/forecast")
		s.wait("[n]o: ")
		s.enter("y")
		s.wait("weather wants to reach " + strings.TrimPrefix(url, "http://"))
		s.wait("Allow it until goated quits? [y/N] ")
		if visits.Load() > 0 {
			t.Fatal("it was in the network before anyone allowed it")
		}
		s.enter(answer)
		if answer == "n" {
			s.wait("Forbidden")
		} else {
			s.wait("a station on the hill")
		}
		s.wait("› ")
	}
	_, _ = s.tty.WriteString("\x04")
	if code := end(); code != 0 {
		t.Fatalf("status %d", code)
	}
	if visits.Load() != 1 {
		t.Errorf("%d visits", visits.Load())
	}
}
