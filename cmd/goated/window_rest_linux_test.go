package main

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A window with nothing to do sleeps, and is awake at once when somebody types.
// Fyne's loop alone wakes sixty times a second. The window fits the screen, and the composer at
// its lower edge can be used. Then a second start comes.
func TestWindowSleeps(t *testing.T) {
	d := openDesk(t, newPlace(t))
	d.fits()
	d.until("ghost is connected", func() bool { return len(family(d.program.Process.Pid)) > 1 })
	time.Sleep(5 * time.Second) // until everything after the start is done
	const watched = 5
	before := wakes(t, d.program.Process.Pid)
	time.Sleep(watched * time.Second)
	if n := (wakes(t, d.program.Process.Pid) - before) / watched; n > 40 {
		t.Errorf("the UI goroutine's thread woke %d times a second", n)
	}
	d.say("list the files in .")
	d.turn(1)
	d.one()
	d.close()
}

// one sees that a second start brings the first window forward instead of opening another, and
// hands its servers over.
func (d *desk) one() {
	d.t.Helper()
	script, _ := d.place.tally()
	second := d.command("--data", d.data, "--server", script)
	if out, err := second.CombinedOutput(); err != nil || !strings.Contains(string(out), "already running") {
		d.t.Errorf("a second start: %v\n%s", err, out)
	}
	d.until("its server is connected", func() bool { return d.place.running(script) > 0 })
	if n := len(d.windows()); n != 1 {
		d.t.Errorf("there are %d windows", n)
	}
}

// wakes is how often the first thread of a process has gone to sleep.
func wakes(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "voluntary_ctxt_switches:" {
			n, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("the system does not say how often a thread sleeps")
	return 0
}
