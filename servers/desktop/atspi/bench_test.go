package atspi_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
)

// python walks the tree of a process with pyatspi.
func python(b *testing.B, pid int) (elements int, took time.Duration) {
	b.Helper()
	cmd := exec.Command("/usr/bin/python3", "testdata/walk.py", fmt.Sprint(pid))
	cmd.Env = append(buses.Environ(desk.Environ(os.Environ())), "HOME="+b.TempDir())
	out, err := cmd.Output()
	if err != nil {
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
			pid := start(b, program.args[0], program.args[1:]...).Process.Pid
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
			seen, slow := python(b, pid)
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

// page is a page with 500 links in a table.
func page() string {
	s := "<title>links</title><table>"
	for i := range 500 {
		s += fmt.Sprintf("<tr><td><a href='%%23%d'>link %d</a><td>%d", i, i, i*i)
	}
	return s
}
