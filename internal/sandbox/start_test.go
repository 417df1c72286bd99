//go:build linux

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"goated/internal/sandbox/busfilter"
	"goated/internal/sandbox/cgroup"
)

// The benchmark alternates between starts with and without a sandbox, so that both have the same
// load.
func BenchmarkStart(b *testing.B) {
	program, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	p := For(program, program, b.TempDir(), nil)
	var without, within []time.Duration
	for b.Loop() {
		begin := time.Now()
		if err := exec.Command(program).Run(); err != nil {
			b.Fatal(err)
		}
		without = append(without, time.Since(begin))

		begin = time.Now()
		cmd := exec.Command(program)
		s, err := Start(cmd, p, nil)
		if err != nil || !s.Confined() {
			b.Fatal(s, err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
		s.Close()
		within = append(within, time.Since(begin))
	}
	plain, confined := median(without), median(within)
	b.ReportMetric(plain, "ms-without")
	b.ReportMetric(confined, "ms-within")
	b.ReportMetric(confined/plain, "ratio")
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return d[len(d)/2].Seconds() * 1000
}

// Fifty starts leave no threads and no open files.
func TestStartLeavesNothing(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	p := For(program, program, t.TempDir(), nil) // with a proxy
	start := func() {
		cmd := exec.Command(program)
		s, err := Start(cmd, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	start() // creates everything that is created only once
	before := entries(t, "/proc/self/fd") + entries(t, "/proc/self/task")
	for range 50 {
		start()
	}
	after := 0
	for range 100 { // threads and notifiers end shortly after their processes
		if after = entries(t, "/proc/self/fd") + entries(t, "/proc/self/task"); after <= before+8 {
			return // the runtime keeps some threads
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d files and threads before, %d after", before, after)
}

func TestStartFails(t *testing.T) {
	if _, err := Start(exec.Command("/nowhere/at/all"), Policy{}, nil); err == nil {
		t.Error("a missing program was started")
	}
}

// A start that fails before the program runs closes the folders of the single files.
func TestFailedStartLeavesNoFiles(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	dir := t.TempDir()
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	p := For(program, program, dir, nil).With(Grant{Files: []string{filepath.Join(dir, "data.db")}, Buses: []busfilter.Bus{{Sockets: []string{"/bus"}}}})
	t.Setenv("TMPDIR", filepath.Join(dir, "missing")) // the D-Bus filter needs it
	before := 0
	for i := range 20 {
		if _, err := Start(exec.Command(program), p, nil); err == nil {
			t.Fatal("it starts without the filter for D-Bus")
		}
		if i == 0 { // creates everything that is created only once
			before = entries(t, "/proc/self/fd")
		}
	}
	if after := entries(t, "/proc/self/fd"); after > before+8 { // the runtime keeps some
		t.Errorf("%d open files before, %d after", before, after)
	}
}

func entries(t *testing.T, dir string) int {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// A program can read the limits of its control groups, without which DuckDB crashes. It cannot see
// the other groups, whose names reveal which programs the user runs.
func TestProgramsReadTheirOwnLimits(t *testing.T) {
	if s := Probe(); !s.Files {
		t.Skip(s)
	}
	limits := cgroup.Limits()
	if len(limits) == 0 {
		t.Skip("this system has no control groups")
	}
	program, err := exec.LookPath("cat")
	if err != nil {
		t.Fatal(err)
	}
	read := func(program string, args ...string) error {
		cmd := exec.Command(program, args...)
		s, err := Start(cmd, For(program, program, t.TempDir(), nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return cmd.Wait()
	}
	for _, file := range limits {
		if exec.Command(program, file).Run() == nil {
			if err := read(program, file); err != nil {
				t.Errorf("reading %s: %v", file, err)
			}
		}
	}
	ls, err := exec.LookPath("ls")
	if err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(limits[0]); dir != "/sys/fs"; dir = filepath.Dir(dir) {
		if read(ls, dir) == nil {
			t.Errorf("the groups in %s are listed", dir)
		}
	}
}
