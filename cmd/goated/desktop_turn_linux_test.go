package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"goated/internal/geminitest"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/x11/hidden"
)

// This is a whole turn: the model opens the calculator, finds its buttons, computes 12 × 12 with
// them, reads the result and answers with it. Only the model is simulated, and it knows only what
// the tools return.
func TestChatComputesOnTheDesktop(t *testing.T) {
	if _, err := exec.LookPath("galculator"); err != nil {
		t.Skip("galculator is not installed: make tools installs it")
	}
	display, err := hidden.Start(t.Context(), hidden.Options{})
	if errors.Is(err, hidden.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(display.Close)
	buses, err := privatebus.Start(t.Context(), display.Environ(os.Environ()))
	if errors.Is(err, privatebus.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(buses.Close)

	p := newPlace(t)
	p.env = append(buses.Environ(display.Environ(p.env)), "GSETTINGS_BACKEND=memory")
	mark := "GOATED_TEST_MARK=" + strconv.Itoa(os.Getpid()) // marks the program that goated opens
	p.env = append(p.env, "LC_ALL=C.UTF-8", mark)
	t.Cleanup(func() {
		for _, pid := range running(t, "galculator", mark) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})

	s := geminitest.New(t)
	var refs map[string]string // of buttons, by text
	keys := []string{"1", "2", "*", "1", "2", "="}
	step := 0
	s.Handle(func(req geminitest.Request) geminitest.Reply {
		last := ""
		for _, part := range req.Contents[len(req.Contents)-1].Parts {
			if part.FunctionResponse != nil {
				last = fmt.Sprint(part.FunctionResponse.Response["output"], part.FunctionResponse.Response["error"])
			}
		}
		step++
		t.Logf("step %d: %.600s", step, last)
		switch {
		case step == 1:
			return geminitest.Call("desktop__app", map[string]any{"action": "open", "name": "sh"})
		case step == 2:
			if !strings.Contains(last, "scripting switch") {
				t.Errorf("opening a shell: %s", last)
			}
			return geminitest.Call("desktop__app", map[string]any{"action": "open", "name": "galculator"})
		case step == 3:
			return geminitest.Call("desktop__wait", map[string]any{"in": "galculator", "role": "button", "text": "="})
		case step == 4:
			return geminitest.Call("desktop__find", map[string]any{"in": "galculator", "role": "button"})
		case step == 5:
			refs = make(map[string]string)
			for _, m := range regexp.MustCompile(`"([^"\n]+)" \[([^\]]+)\]`).FindAllStringSubmatch(last, -1) {
				refs[m[1]] = m[2]
			}
		}
		if i := step - 5; i < len(keys) {
			if refs[keys[i]] == "" {
				return geminitest.Text("There is no button " + keys[i])
			}
			return geminitest.Call("desktop__press", map[string]any{"element": refs[keys[i]], "expect_name": keys[i]})
		}
		if step == 5+len(keys) {
			return geminitest.Call("desktop__find", map[string]any{"in": "galculator", "text_contains": "144"})
		}
		if strings.Contains(last, "144") {
			return geminitest.Text("12 × 12 = 144")
		}
		return geminitest.Text("I could not read the result.")
	})
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	out, aside, code := p.run("chat", "-p", "Open the calculator, compute 12 × 12, and tell me the result", "--with", "desktop", "--yes", "--max-steps", "20")
	if code != 0 || !strings.Contains(out, "12 × 12 = 144") {
		t.Errorf("status %d, %q\n%s", code, out, aside)
	}
	// The calculator continues after goated has exited, and no sandbox restricts it.
	pids := running(t, "galculator", mark)
	if len(pids) != 1 {
		t.Fatalf("the calculators that run are %v", pids)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pids[0]))
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"NoNewPrivs:", "Seccomp:", "CapBnd:", "NSpid:"} {
		if f, want := fieldOf(status, field), fieldOf(own, field); len(f) != len(want) || field != "NSpid:" && !slices.Equal(f, want) {
			t.Errorf("%s of the calculator is %q, and outside of the sandbox %q", field, f, want)
		}
	}
	for _, namespace := range []string{"mnt", "net", "pid", "user"} {
		theirs, _ := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pids[0], namespace))
		ours, _ := os.Readlink("/proc/self/ns/" + namespace)
		if theirs != ours {
			t.Errorf("the calculator has the %s namespace %s, not %s", namespace, theirs, ours)
		}
	}
}

// running lists the processes of a program that have a variable in their environment.
func running(t *testing.T, program, variable string) (pids []int) {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		environ, _ := os.ReadFile(filepath.Join(path, "environ")) // it may have exited
		name, _ := os.ReadFile(filepath.Join(path, "comm"))
		if pid, err := strconv.Atoi(filepath.Base(path)); err == nil && strings.TrimSpace(string(name)) == program && slices.Contains(strings.Split(string(environ), "\x00"), variable) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// fieldOf returns a field of a process's status.
func fieldOf(status []byte, name string) []string {
	for line := range strings.Lines(string(status)) {
		if v, ok := strings.CutPrefix(line, name); ok {
			return strings.Fields(v)
		}
	}
	return nil
}
