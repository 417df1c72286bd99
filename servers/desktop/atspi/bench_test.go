package atspi_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/element"
)

// python runs a script that uses pyatspi.
func python(b *testing.B, script string, args ...any) (elements int, took time.Duration) {
	b.Helper()
	words := []string{"testdata/" + script}
	for _, a := range args {
		words = append(words, fmt.Sprint(a))
	}
	cmd := exec.Command("/usr/bin/python3", words...)
	cmd.Env = append(buses.Environ(desk.Environ(os.Environ())), "HOME="+b.TempDir())
	out, err := cmd.Output()
	if err != nil {
		if e := new(exec.ExitError); errors.As(err, &e) {
			b.Skipf("pyatspi does not run: make tools installs it. It says: %s", e.Stderr)
		}
		b.Skipf("pyatspi does not run (%v): make tools installs it", err)
	}
	var ms float64
	if _, err := fmt.Sscan(string(out), &elements, &ms); err != nil {
		b.Fatalf("%q: %v", out, err)
	}
	return elements, time.Duration(ms * float64(time.Millisecond))
}

// A program is an application with elements to walk.
type program struct {
	role string // the role of an element whose presence shows that the program has started
	args []string
}

func programs(t testing.TB) []program {
	return []program{
		{"text", []string{"mousepad"}},
		{"button", []string{"gnome-calculator"}},
		{"link", []string{"chromium", "--no-sandbox", "--force-renderer-accessibility", "--password-store=basic", "--no-first-run", "--user-data-dir=" + t.TempDir(), "data:text/html," + page()}},
	}
}

// BenchmarkTree reads whole trees. It compares the fastest of five or more walks with the fastest of
// five by pyatspi for the same program in the same run. It fails unless goated is at least five times
// as fast.
func BenchmarkTree(b *testing.B) {
	for _, program := range programs(b) {
		b.Run(program.args[0], func(b *testing.B) {
			bus := connect(b, atspi.Options{Budget: 5 * time.Second})
			pid := start(b, program.args[0], program.args[1:]...)
			app := tree(b, bus, pid, program.role).App
			fastest, elements, walks := time.Hour, 0, 0
			whole, ours, theirs := time.Duration(0), -cpu(b, os.Getpid()), -cpu(b, pid)
			walk := func() {
				begin := time.Now()
				t, err := bus.Snapshot(b.Context(), app)
				if err != nil {
					b.Fatal(err)
				}
				took := time.Since(begin)
				whole += took
				fastest, elements, walks = min(fastest, took), len(t.Nodes), walks+1
			}
			for b.Loop() {
				walk()
			}
			for walks < 5 { // as many as walk.py
				walk()
			}
			// Report how much of a walk's time goated computes, and how much the program computes for
			// its answers.
			ours, theirs = ours+cpu(b, os.Getpid()), theirs+cpu(b, pid)
			b.ReportMetric(100*ours.Seconds()/whole.Seconds(), "%cpu-goated")
			b.ReportMetric(100*theirs.Seconds()/whole.Seconds(), "%cpu-program")
			b.ReportMetric(fastest.Seconds()*1000, "ms")
			seen, slow := python(b, "walk.py", pid)
			const want = 5.0
			times := slow.Seconds() / fastest.Seconds()
			b.ReportMetric(float64(elements), "elements")
			b.ReportMetric(slow.Seconds()*1000, "ms-python")
			b.ReportMetric(times, "times-faster")
			if times < want || elements < seen*3/4 {
				b.Errorf("%d elements in %v, pyatspi %d in %v: %.1f times faster, want %v", elements, fastest, seen, slow, times, want)
			}
		})
	}
}

// BenchmarkFilter reads trees alternately without and with the sandbox's filter, and reports how much
// the filter slows the walks down.
func BenchmarkFilter(b *testing.B) {
	for _, program := range programs(b) {
		b.Run(program.args[0], func(b *testing.B) {
			o := atspi.Options{Budget: 5 * time.Second}
			behind := connect(b, o)
			o.Address = buses.Accessibility
			plain := reach(b, o)
			pid := start(b, program.args[0], program.args[1:]...)
			tree(b, plain, pid, program.role)
			app := tree(b, behind, pid, program.role).App
			var took [2][]time.Duration
			for b.Loop() {
				for i, bus := range []*atspi.Bus{plain, behind} {
					begin := time.Now()
					if _, err := bus.Snapshot(b.Context(), app); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(begin))
				}
			}
			for i, name := range []string{"plain", "filter"} {
				slices.Sort(took[i])
				b.ReportMetric(took[i][0].Seconds()*1000, "ms-"+name+"-fastest")
				b.ReportMetric(took[i][len(took[i])/2].Seconds()*1000, "ms-"+name+"-median")
			}
			b.ReportMetric(100*(took[1][0].Seconds()/took[0][0].Seconds()-1), "%slower-fastest")
			b.ReportMetric(100*(took[1][len(took[1])/2].Seconds()/took[0][len(took[0])/2].Seconds()-1), "%slower-median")
		})
	}
}

// cpu returns the processor time that a process has used.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("the system does not say what a process computes: ", err)
	}
	const tick = 10 * time.Millisecond // on Linux
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err1 != nil || err2 != nil {
		b.Fatal(err1, err2)
	}
	return time.Duration(user+system) * tick
}

// BenchmarkFind finds the last of 2,000 buttons and its position by role and name, as a model does. It
// compares the time with pyatspi in the same run.
func BenchmarkFind(b *testing.B) {
	const n = 2000
	bus := connect(b, atspi.Options{Budget: 5 * time.Second})
	items := make([]int, n+2)
	for i := range items {
		items[i] = i
	}
	app := serve(b, bus, &atspitest.App{
		Item: func(id int) atspitest.Item {
			switch id {
			case 0:
				return atspitest.Item{Role: application, Name: "two thousand", Toolkit: "test", Children: []int{1}}
			case 1:
				return atspitest.Item{Role: frame, Name: "Buttons", States: atspitest.Shown, Children: items[2:], Interfaces: []string{"Component"}}
			}
			return atspitest.Item{Role: 43, Name: fmt.Sprintf("Button %d", id), States: atspitest.Shown, Parent: 1, Index: id - 2,
				Interfaces: []string{"Component", "Action"}, Bounds: [4]int32{int32(id % 50 * 20), int32(id / 50 * 20), 20, 20}}
		},
		Cache: func() []int { return items },
	})
	last := fmt.Sprintf("Button %d", n+1)
	fastest := time.Hour
	for b.Loop() {
		begin := time.Now()
		t, err := bus.Snapshot(b.Context(), app)
		if err != nil {
			b.Fatal(err)
		}
		found := find(b, t, "role:button AND text:"+last)
		if len(found) != 1 || t.Fetch(b.Context(), found, element.AllFields) > 0 {
			b.Fatalf("%d elements", len(found))
		}
		fastest = min(fastest, time.Since(begin))
	}
	_, slow := python(b, "find.py", os.Getpid(), last)
	b.ReportMetric(fastest.Seconds()*1000, "ms")
	b.ReportMetric(slow.Seconds()*1000, "ms-python")
	b.ReportMetric(slow.Seconds()/fastest.Seconds(), "times-faster")
	if slow < 5*fastest {
		b.Errorf("%v, pyatspi %v", fastest, slow)
	}
}

// page is a page with 400 links in a table, because goated cuts longer lists and pyatspi does not.
func page() string {
	s := "<title>links</title><table>"
	for i := range 400 {
		s += fmt.Sprintf("<tr><td><a href='%%23%d'>link %d</a><td>%d", i, i, i*i)
	}
	return s
}
