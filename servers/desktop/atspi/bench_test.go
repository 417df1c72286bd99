package atspi_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/element"
)

// python runs a script with pyatspi.
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

// BenchmarkTree reads whole trees, and compares the fastest with that of pyatspi for the
// same program in the same run. It fails if goated is not at least five times as fast,
// except for Chromium, whose pages are in no cache: there Chromium itself is the limit.
func BenchmarkTree(b *testing.B) {
	for _, program := range []struct {
		role string
		want float64
		args []string
	}{
		{"text", 5, []string{"mousepad"}},
		{"button", 5, []string{"gnome-calculator"}},
		{"link", 1, []string{"chromium", "--no-sandbox", "--force-renderer-accessibility", "--password-store=basic", "--no-first-run", "--user-data-dir=" + b.TempDir(), "data:text/html," + page()}},
	} {
		b.Run(program.args[0], func(b *testing.B) {
			bus := connect(b, atspi.Options{Budget: 5 * time.Second})
			pid := start(b, program.args[0], program.args[1:]...)
			app := tree(b, bus, pid, program.role).App
			fastest, elements := time.Hour, 0
			for b.Loop() {
				begin := time.Now()
				t, err := bus.Snapshot(b.Context(), app)
				if err != nil {
					b.Fatal(err)
				}
				fastest, elements = min(fastest, time.Since(begin)), len(t.Nodes)
			}
			seen, slow := python(b, "walk.py", pid)
			times := slow.Seconds() / fastest.Seconds()
			b.ReportMetric(float64(elements), "elements")
			b.ReportMetric(slow.Seconds()*1000, "ms-python")
			b.ReportMetric(times, "times-faster")
			if times < program.want || elements < seen*3/4 {
				b.Errorf("%d elements in %v, pyatspi %d in %v: %.1f times faster, want %v", elements, fastest, seen, slow, times, program.want)
			}
		})
	}
}

// BenchmarkFind finds the last of 2,000 buttons by role and name, and its place, as a model does,
// beside pyatspi in the same run.
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
				return atspitest.Item{Role: frame, Name: "Buttons", States: atspitest.Shown, Children: items[2:], Faces: []string{"Component"}}
			}
			return atspitest.Item{Role: 43, Name: fmt.Sprintf("Button %d", id), States: atspitest.Shown, Parent: 1, Index: id - 2,
				Faces: []string{"Component", "Action"}, Bounds: [4]int32{int32(id % 50 * 20), int32(id / 50 * 20), 20, 20}}
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

// page is a page with 500 links in a table.
func page() string {
	s := "<title>links</title><table>"
	for i := range 500 {
		s += fmt.Sprintf("<tr><td><a href='%%23%d'>link %d</a><td>%d", i, i, i*i)
	}
	return s
}
