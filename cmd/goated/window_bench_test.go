//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What the window costs, beside the smallest Fyne window and, where Chromium is
// installed, a Chromium window with one page, which is Electron's floor: the
// time to a painted window, the memory of the whole program, and the CPU of
// doing nothing with the composer focused. To be read as ratios within one run:
// OpenGL is software here.
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
	peers := map[string][]string{
		"hello":  {hello},
		"goated": {buildWindow(b), "--data", filepath.Join(b.TempDir(), "D")},
	}
	names := []string{"hello", "goated"}
	if chromium, err := exec.LookPath("chromium"); err == nil {
		names = append(names, "chromium")
		peers["chromium"] = []string{
			chromium, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + b.TempDir(), "--app=file://" + page,
		}
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			var start, memory, idle float64
			for b.Loop() {
				x := startDisplay(b)
				cmd := exec.Command(peers[name][0], peers[name][1:]...)
				cmd.Env = append(os.Environ(), "DISPLAY="+x.name, "LANG=en_US.UTF-8", "HOME="+b.TempDir())
				began := time.Now()
				if err := cmd.Start(); err != nil {
					b.Fatal(err)
				}
				d := &desk{display: x, program: cmd, log: new(bytes.Buffer)}
				d.until("the window is there", func() bool { return len(d.windows()) > 0 })
				d.until("the window is painted", func() bool { return len(colours(d.look())) > 1 })
				start += time.Since(began).Seconds() * 1000
				time.Sleep(3 * time.Second)
				before := cpu(cmd.Process.Pid)
				time.Sleep(5 * time.Second)
				idle += (cpu(cmd.Process.Pid) - before) / 5 * 100
				memory += resident(cmd.Process.Pid)
				_ = cmd.Process.Signal(os.Interrupt)
				done := make(chan struct{})
				go func() { _ = cmd.Wait(); close(done) }()
				select {
				case <-done:
				case <-time.After(5 * time.Second):
					_ = cmd.Process.Kill()
					<-done
				}
			}
			n := float64(b.N)
			b.ReportMetric(start/n, "ms/window")
			b.ReportMetric(memory/n, "MB")
			b.ReportMetric(idle/n, "%cpu-idle")
			b.ReportMetric(0, "ns/op")
		})
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

// cpu is the CPU time of a process and its descendants, in seconds.
func cpu(pid int) float64 {
	ticks := 0
	for _, p := range family(pid) {
		data, _ := os.ReadFile("/proc/" + strconv.Itoa(p) + "/stat")
		_, rest, _ := strings.Cut(string(data), ") ")
		if f := strings.Fields(rest); len(f) > 12 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			ticks += user + system
		}
	}
	return float64(ticks) / 100 // USER_HZ
}

// resident is the memory of a process and its descendants, in megabytes; what
// they share is counted once, by proportion.
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
