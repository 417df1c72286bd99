package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"goated/internal/geminitest"
)

// With its switch, the desktop server works on a hidden desktop from inside of goated's
// sandbox: an application opens there, its buttons are found and pressed, and all of it ends
// with goated. The user has no display at all here.
func TestChatWorksOnTheHiddenDesktop(t *testing.T) {
	for _, program := range []string{"galculator", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: make tools installs it", program)
		}
	}
	p := newPlace(t)
	mark := "GOATED_TEST_MARK=hidden" + strconv.Itoa(os.Getpid())
	p.env = append(p.env, "GSETTINGS_BACKEND=memory", "LC_ALL=C.UTF-8", mark)
	data := p.hiddenDesktop()
	s := geminitest.New(t)
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
		switch step {
		case 1:
			return geminitest.Call("desktop__app", map[string]any{"action": "open", "name": "galculator"})
		case 2:
			if len(running(t, "galculator", mark)) != 1 {
				t.Error("the calculator does not run")
			}
			return geminitest.Call("desktop__wait", map[string]any{"in": "galculator", "role": "button", "text": "7"})
		case 3:
			return geminitest.Call("desktop__find", map[string]any{"in": "galculator", "role": "button"})
		case 4:
			return geminitest.Call("desktop__press", map[string]any{"element": refOf(last, "7"), "expect_name": "7"})
		case 5:
			return geminitest.Call("desktop__find", map[string]any{"in": "galculator", "role": "textbox"})
		}
		if !strings.Contains(last, `"7"`) {
			t.Errorf("the calculator shows %s", last)
		}
		return geminitest.Text("I pressed seven.")
	})
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	out, aside, code := p.run("--data", data, "chat", "-p", "Open the calculator and press 7", "--yes", "--max-steps", "20")
	if code != 0 || step != 6 || !strings.Contains(out, "I pressed seven.") {
		t.Errorf("status %d after %d steps, %q\n%s", code, step, out, aside)
	}
	for deadline := time.Now().Add(time.Minute); len(running(t, "galculator", mark)) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) { // a program ends when it notices that its display is gone
			t.Fatal("the calculator outlives its desktop")
		}
	}
}

// hiddenDesktop turns on the desktop server on a hidden desktop, and returns the folder of
// goated's data.
func (p *place) hiddenDesktop() string {
	p.t.Helper()
	data := filepath.Join(p.home, "D")
	if err := os.MkdirAll(data, 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "settings.json"), []byte(`{"bundledOn": ["desktop", "desktop/hidden"]}`), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return data
}

// refOf is the ref of the element with a text in an answer of the desktop server.
func refOf(answer, text string) string {
	if m := regexp.MustCompile(`"` + regexp.QuoteMeta(text) + `" \[([^\]]+)\]`).FindStringSubmatch(answer); m != nil {
		return m[1]
	}
	return ""
}
