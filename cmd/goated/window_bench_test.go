//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"goated/servers/desktop/apps"
)

// BenchmarkWindow measures the cost of the window: the time until it is painted and the CPU time
// for that, the memory of the whole program, and the CPU usage while the composer is focused and
// nothing happens. It compares them with the smallest Fyne window and, if Chromium is installed,
// with a Chromium window that shows one page, which is the minimum for Electron. The programs take
// turns, so that other load affects all of them, and the median counts. Only the ratios within
// one run are meaningful, because OpenGL is in software here. On a busy machine, CPU time is more
// reliable than elapsed time.
func BenchmarkWindow(b *testing.B) {
	hello := filepath.Join(b.TempDir(), "hello")
	build := exec.Command("go", "build", "-o", hello, "./testdata/hello")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	page := filepath.Join(b.TempDir(), "page.html")
	if err := os.WriteFile(page, []byte("<title>goated page</title><textarea autofocus></textarea>"), 0o600); err != nil {
		b.Fatal(err)
	}
	names := []string{"hello", "sized", "goated"}
	peers := map[string][]string{
		"hello":  {hello},
		"sized":  {hello, "1280", "840"}, // as large as goated's window, to show the cost of the pixels
		"goated": {buildWindow(b), "--data", filepath.Join(b.TempDir(), "D")},
	}
	if chromium, err := exec.LookPath("chromium"); err == nil {
		names = append(names, "chromium")
		peers["chromium"] = []string{
			chromium, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + b.TempDir(), "--app=file://" + page,
		}
	}
	costs := make(map[string][]cost)
	for b.Loop() {
		for _, name := range names {
			costs[name] = append(costs[name], costOf(b, peers[name]))
		}
	}
	floor := medianCost(costs["hello"])
	for _, name := range names {
		m := medianCost(costs[name])
		b.ReportMetric(m.start, name+"-ms")
		b.ReportMetric(m.spent, name+"-ms-cpu")
		b.ReportMetric(m.memory, name+"-MB")
		b.ReportMetric(m.idle, name+"-%cpu")
		if name != "hello" {
			b.ReportMetric(m.start/floor.start, name+"/hello-start")
			b.ReportMetric(m.spent/floor.spent, name+"/hello-cpu")
			b.ReportMetric(m.memory/floor.memory, name+"/hello-MB")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// A cost contains the measurements of one start: the milliseconds until the window is painted and
// the CPU time until then, and after that megabytes and percent of a CPU.
type cost struct{ start, spent, memory, idle float64 }

func costOf(b *testing.B, command []string) cost {
	x := startDisplay(b).name
	s := watch(b, x)
	var programs apps.Programs
	defer programs.Close()
	env := append(os.Environ(), "DISPLAY="+x, "LANG=en_US.UTF-8", "HOME="+b.TempDir())
	began := time.Now()
	p, err := programs.Start(command, env, "")
	if err != nil {
		b.Fatal(err)
	}
	s.painted(30 * time.Second)
	c := cost{start: time.Since(began).Seconds() * 1000, spent: cpu(p.PID) * 1000}
	time.Sleep(4 * time.Second)
	before := cpu(p.PID)
	time.Sleep(5 * time.Second)
	c.idle = (cpu(p.PID) - before) / 5 * 100
	c.memory = resident(p.PID)
	return c
}

// medianCost returns the median of each cost separately.
func medianCost(costs []cost) cost {
	median := func(of func(cost) float64) float64 {
		var v []float64
		for _, c := range costs {
			v = append(v, of(c))
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	return cost{
		median(func(c cost) float64 { return c.start }),
		median(func(c cost) float64 { return c.spent }),
		median(func(c cost) float64 { return c.memory }),
		median(func(c cost) float64 { return c.idle }),
	}
}

// family lists a process and its descendants.
func family(pid int) []int {
	all := []int{pid}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for i := 0; i < len(all); i++ {
		for _, path := range stats {
			data, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			_, rest, _ := strings.Cut(string(data), ") ")
			if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(all[i]) {
				child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
				all = append(all, child)
			}
		}
	}
	return all
}

// cpu returns the CPU time of a process and its descendants, in seconds.
func cpu(pid int) float64 {
	ns := int64(0)
	for _, p := range family(pid) {
		var t unix.Timespec
		clock := int32(^p<<3 | 2) // clock of the process; see clock_getcpuclockid(3)
		if unix.ClockGettime(clock, &t) == nil {
			ns += t.Nano()
		}
	}
	return float64(ns) / 1e9
}

// resident returns the memory of a process and its descendants, in megabytes. Shared memory counts
// once, in proportion.
func resident(pid int) float64 {
	kB := 0
	for _, p := range family(pid) {
		data, _ := os.ReadFile("/proc/" + strconv.Itoa(p) + "/smaps_rollup")
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
				n, _ := strconv.Atoi(f[1])
				kB += n
			}
		}
	}
	return float64(kB) / 1024
}
