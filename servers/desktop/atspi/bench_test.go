package atspi_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

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
// except for Chromium, whose pages are in no cache: there each element takes several questions, and
// as many empty ones (ms-empty) take most of the time.
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
			whole, ours, theirs := time.Duration(0), -cpu(b, os.Getpid()), -cpu(b, pid)
			for b.Loop() {
				begin := time.Now()
				t, err := bus.Snapshot(b.Context(), app)
				if err != nil {
					b.Fatal(err)
				}
				took := time.Since(begin)
				whole += took
				fastest, elements = min(fastest, took), len(t.Nodes)
			}
			// Of the time of a walk, what goated computes, and what the program computes for its answers.
			ours, theirs = ours+cpu(b, os.Getpid()), theirs+cpu(b, pid)
			b.ReportMetric(100*ours.Seconds()/whole.Seconds(), "%cpu-goated")
			b.ReportMetric(100*theirs.Seconds()/whole.Seconds(), "%cpu-program")
			if program.want < 5 {
				empty := time.Hour
				for range 3 {
					empty = min(empty, pings(b, app.Root.Bus, questions*elements))
				}
				b.ReportMetric(empty.Seconds()*1000, "ms-empty")
				b.ReportMetric(100*empty.Seconds()/fastest.Seconds(), "%empty")
			}
			b.ReportMetric(fastest.Seconds()*1000, "ms")
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

// questions is how many a walk asks about each element that is in no list.
const questions = 5

// pings asks a program as many empty questions as a walk asks, in the same way: what they take is
// the time of messages alone, without any work for the elements.
func pings(b *testing.B, bus string, n int) time.Duration {
	b.Helper()
	conn, err := dbus.Connect(buses.Accessibility)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	const open = 64
	program, replies := conn.Object(bus, "/"), make(chan *dbus.Call, open)
	begin := time.Now()
	for sent, got := 0, 0; got < n; {
		for ; sent < n && sent-got < open; sent++ {
			program.Go("org.freedesktop.DBus.Peer.Ping", 0, replies)
		}
		if call := <-replies; call.Err != nil {
			b.Fatal(call.Err)
		}
		got++
	}
	return time.Since(begin)
}

// cpu is the time that a process has computed.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("the system does not say what a process computes: ", err)
	}
	const tick = 10 * time.Millisecond // of Linux
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err1 != nil || err2 != nil {
		b.Fatal(err1, err2)
	}
	return time.Duration(user+system) * tick
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
