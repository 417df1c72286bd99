package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/geminitest"
	"goated/internal/waittest"
)

// With its switch, the desktop server works on a hidden desktop from inside goated's sandbox. An
// application opens there, the model finds and presses its buttons, and everything ends with
// goated. In the meantime, goated's window shows that desktop live, stops everything and resumes.
func TestWindowShowsTheHiddenDesktop(t *testing.T) {
	for _, program := range []string{"galculator", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: make tools installs it", program)
		}
	}
	p := newPlace(t)
	mark := "GOATED_TEST_MARK=hidden" + strconv.Itoa(os.Getpid())
	p.env = append(p.env, "GSETTINGS_BACKEND=memory", mark)
	s := p.gemini()
	s.Handle(pressSevens(t))
	d := newDeskOf(t, p, wideScreen)
	d.settle(`{"welcomed":true,"theme":"light","bundledOn":["desktop","desktop/hidden"]}`)
	d.open()
	d.say("Open the calculator and press 7")
	d.allows(1)
	open := running(t, "galculator", mark)
	if len(open) != 1 {
		t.Fatalf("%d calculators run", len(open))
	}

	d.do("desktop that a model works")
	d.until("the page shows the calculator", func() bool { return d.shows(hiddenRoot) > 100_000 })
	d.still()
	at := d.at(open[0])
	before := d.look().Pix
	d.run("env", append(at, "xdotool", "mousemove", "600", "500")...)
	d.until("the page shows that the pointer moved", func() bool { return !bytes.Equal(before, d.look().Pix) })

	d.do("stop the desktop")
	d.until("the page says that everything is stopped", func() bool { return d.shows(softWarning) > 5000 })
	d.do("desktop that a model works") // back to the conversation
	d.say("press 7")
	d.allows(2)
	d.do("resume the desktop")
	d.say("press 7 once more")
	d.allows(3)
	d.ownWindow()
	d.close()
	// A program exits when it notices that its display is gone.
	waittest.Until(t, "the calculator ends with its desktop", func() bool { return len(running(t, "galculator", mark)) == 0 })
}

// These are colours of the light theme, and of a hidden desktop without windows.
var (
	softWarning = color.RGBA{0xFA, 0xF1, 0xDF, 0xFF}
	hiddenRoot  = color.RGBA{0, 0, 0, 0xFF}
)

// pressSevens is a model that opens the calculator and presses 7. In each later turn it presses 7
// again. In the second one, the user has stopped it.
func pressSevens(t *testing.T) func(geminitest.Request) geminitest.Reply {
	var seven string
	step := 0
	return func(req geminitest.Request) geminitest.Reply {
		last := ""
		for _, part := range req.Contents[len(req.Contents)-1].Parts {
			if part.FunctionResponse != nil {
				last = fmt.Sprint(part.FunctionResponse.Response["output"], part.FunctionResponse.Response["error"])
			}
		}
		step++
		t.Logf("step %d: %.600s", step, last)
		press := geminitest.Call("desktop__press", map[string]any{"element": seven, "expect_name": "7"})
		find := geminitest.Call("desktop__find", map[string]any{"in": "galculator", "role": "textbox"})
		switch step {
		case 1:
			return geminitest.Call("desktop__app", map[string]any{"action": "open", "name": "galculator"})
		case 2:
			return geminitest.Call("desktop__wait", map[string]any{"in": "galculator", "role": "button", "text": "7"})
		case 3:
			return geminitest.Call("desktop__find", map[string]any{"in": "galculator", "role": "button"})
		case 4:
			seven = refOf(last, "7")
			return geminitest.Call("desktop__press", map[string]any{"element": seven, "expect_name": "7"})
		case 5, 10:
			return find
		case 7, 9:
			return press
		case 6:
			if !strings.Contains(last, `"7"`) {
				t.Errorf("the calculator shows %s", last)
			}
		case 8:
			if !strings.Contains(last, "he user stopped the desktop tools") {
				t.Errorf("a stopped server says %s", last)
			}
		case 11:
			if !strings.Contains(last, `"77"`) {
				t.Errorf("after the resume the calculator shows %s", last)
			}
		}
		return geminitest.Text("Done.")
	}
}

// allows presses Ctrl+Enter for each question until turn n has ended, in the history and in the
// window.
func (d *desk) allows(n int) {
	d.t.Helper()
	var next time.Time
	d.until(fmt.Sprintf("turn %d has ended", n), func() bool {
		turns := d.turns()
		if len(turns) >= n && !turns[n-1].Ended.IsZero() {
			return true
		}
		if time.Now().After(next) && d.questions(n) > 0 {
			d.press("ctrl+Return")
			next = time.Now().Add(700 * time.Millisecond) // a new question does not accept an answer yet
		}
		return false
	})
	d.turn(n)
}

// at returns the variables by which a program on the hidden desktop reaches it.
func (d *desk) at(pid int) (variables []string) {
	d.t.Helper()
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		d.t.Fatal(err)
	}
	for v := range strings.SplitSeq(string(environ), "\x00") {
		if strings.HasPrefix(v, "DISPLAY=") || strings.HasPrefix(v, "XAUTHORITY=") {
			variables = append(variables, v)
		}
	}
	return variables
}

// ownWindow tries every way to operate goated's real window from a desktop server on the same
// display, which another program started. The window must not change.
func (d *desk) ownWindow() {
	d.t.Helper()
	cmd := exec.Command(buildWindow(d.t), "serve", "desktop", "--all-tools", "--backend", "x11", "--data", d.t.TempDir())
	cmd.Env, cmd.Dir = append(d.place.env[:len(d.place.env):len(d.place.env)], "DISPLAY="+d.name), d.place.project
	session, err := mcp.NewClient(&mcp.Implementation{Name: "other", Version: "1"}, nil).Connect(d.t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	d.press("ctrl+l")
	d.move(700, 400) // a press moves the pointer before it is refused
	d.still()
	before := d.look()
	all := d.windows()
	pid := d.program.Process.Pid
	app := fmt.Sprintf("applications/%d", pid)
	window := fmt.Sprintf("%s/windows/%d", app, all[len(all)-1])
	x, y := d.screen.points(700), d.screen.points(400)
	in := map[string]any{"x": x, "y": y}
	for _, try := range []struct {
		tool string
		args map[string]any
	}{
		{"focus_window", map[string]any{"name": window}},
		{"move_window", map[string]any{"name": window, "x": 50, "y": 50}},
		{"resize_window", map[string]any{"name": window, "width": 300, "height": 300}},
		{"minimize_window", map[string]any{"name": window}},
		{"restore_window", map[string]any{"name": window}},
		{"close_window", map[string]any{"name": window, "force": true}},
		{"click", in},
		{"click", map[string]any{"x": x, "y": y, "click_count": 2}},
		{"mouse_move", in},
		{"mouse_button_down", in},
		{"mouse_button_up", in},
		{"hover", in},
		{"scroll", map[string]any{"x": x, "y": y, "vertical": 3}},
		{"drag", map[string]any{"start_x": d.screen.points(d.screen.width - 10), "start_y": d.screen.points(d.screen.height - 10), "end_x": x, "end_y": y}},
		{"gesture", map[string]any{"center_x": x, "center_y": y, "gesture_type": "pinch", "scale": 2}},
		{"type_text", map[string]any{"text": "Allow"}},
		{"press_key", map[string]any{"key": "ctrl+Return"}},
		{"hold_key", map[string]any{"key": "a", "duration": 0.1}},
		{"type_text", map[string]any{"text": "Allow", "application": app}},
		{"find_elements", map[string]any{"parent": app}},
		{"find_region_elements", map[string]any{"parent": app, "x": 0, "y": 0, "width": d.screen.points(d.screen.width), "height": d.screen.points(d.screen.height)}},
		{"traverse_accessibility", map[string]any{"name": app, "activate": true}},
		{"capture_window_screenshot", map[string]any{"window": window}},
		{"get_window", map[string]any{"name": window}},
		{"open_application", map[string]any{"id": buildWindow(d.t)}},
	} {
		r, err := session.CallTool(d.t.Context(), &mcp.CallToolParams{Name: try.tool, Arguments: try.args})
		if err != nil {
			d.t.Errorf("%s: %v", try.tool, err)
			continue
		}
		text := ""
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok {
				text += c.Text
			}
		}
		d.t.Logf("%s: %v %.200s", try.tool, r.IsError, text)
		if !r.IsError {
			d.t.Errorf("%s %v reaches goated's window: %s", try.tool, try.args, text)
		}
	}
	listed, err := session.CallTool(d.t.Context(), &mcp.CallToolParams{Name: "list_windows", Arguments: map[string]any{}})
	if err != nil || strings.Contains(fmt.Sprint(listed.StructuredContent), strconv.Itoa(int(all[len(all)-1]))) {
		d.t.Errorf("the list of windows has goated's: %v, %v", listed, err)
	}
	shot, err := session.CallTool(d.t.Context(), &mcp.CallToolParams{Name: "capture_screenshot", Arguments: map[string]any{}})
	if err != nil || shot.IsError {
		d.t.Fatal(shot, err)
	}
	for _, c := range shot.Content {
		if c, ok := c.(*mcp.ImageContent); ok {
			m, _, err := image.Decode(bytes.NewReader(c.Data))
			if err != nil {
				d.t.Fatal(err)
			}
			seen := make(map[color.Color]bool)
			for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y += 2 {
				for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
					seen[m.At(x, y)] = true
				}
			}
			if len(seen) > 2 {
				d.t.Errorf("a screenshot of goated's window has %d colours", len(seen))
			}
		}
	}
	d.move(700, 400)
	d.still()
	// The sign of the last attempt is visible for two seconds.
	for end := time.Now().Add(10 * time.Second); !bytes.Equal(before.Pix, d.look().Pix) && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	if !bytes.Equal(before.Pix, d.look().Pix) {
		d.t.Error("goated's window has changed")
	}
}

// hiddenDesktop turns on the desktop server on a hidden desktop, and returns goated's data folder.
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

// refOf returns the ref of the element with a text, from an answer of the desktop server.
func refOf(answer, text string) string {
	if m := regexp.MustCompile(`"` + regexp.QuoteMeta(text) + `" \[([^\]]+)\]`).FindStringSubmatch(answer); m != nil {
		return m[1]
	}
	return ""
}

// galleryDesktop takes a picture of the hidden desktop while a model computes there.
func galleryDesktop(t *testing.T, theme string) {
	p := galleryPlace(t)
	p.env = append(p.env, "GSETTINGS_BACKEND=memory", "GTK_THEME=Adwaita")
	s := p.gemini()
	s.Handle(pressSevens(t))
	g := openGallery(t, p, `{"welcomed":true,"theme":"`+theme+`","bundledOn":["desktop","desktop/hidden"]}`)
	g.say("Open the calculator and press 7")
	g.allows(1)
	g.do("desktop that a model works")
	g.toastless()
	g.take("desktop-" + theme)
	g.close()
}
