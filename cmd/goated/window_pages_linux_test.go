package main

import (
	"bytes"
	"errors"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// The inspector shows the messages between the model, a server and goated while the user chats. The
// artifacts page works in the same window.
func TestWindowInspector(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Script(
		geminitest.Calls(geminitest.Call("llmem__map_workspace", map[string]any{"query": "trips"})),
		geminitest.Text("There is nothing to map."),
		geminitest.Text("It plans trips."),
		geminitest.Text("It plans long trips."),
	)
	d := openDeskOf(t, p, wideScreen, "--with", "llmem")
	d.opens("ctrl+shift+i")
	d.press("Escape")
	d.say("map this")
	d.turn(1)
	d.opens("ctrl+shift+i")
	text := d.copied(func() { d.press("Down", "ctrl+c") })
	if !strings.Contains(text, `"contents"`) || !strings.Contains(text, "There is nothing to map.") {
		t.Errorf("the newest message is %s", text)
	}
	text = d.copied(func() { d.press("Down", "ctrl+c") })
	if !strings.Contains(text, `"method":"tools/call"`) || !strings.Contains(text, `"query":"trips"`) || strings.Contains(text, "AIza") {
		t.Errorf("the message before is %s", text)
	}
	d.exports("map_workspace")
	d.press("Escape") // closes the detail
	d.press("Escape") // clears the filter
	d.press("Escape") // closes the page
	d.write("still here")
	d.artifacts(s)
	d.close()
	s.Done()
}

// exports filters the calls of one tool by its tile, copies the newest one as a command, and
// exports the filtered calls. The command makes the same call, and the file contains the same.
func (d *desk) exports(tool string) {
	d.t.Helper()
	d.answers("the first tile", func() { d.click(400, 150) })
	text := d.copied(func() { d.press("Down", "ctrl+c") })
	if !strings.Contains(text, `"method":"tools/call"`) {
		d.t.Errorf("with a press on the tile of %s, the newest message is %s", tool, text)
	}
	command := strings.TrimSpace(d.copied(func() { d.click(1190, 259) }))
	call, ok := strings.CutSuffix(command, " --with llmem") // llmem is off by default
	if !ok || !strings.HasPrefix(call, "goated call "+tool+" ") {
		d.t.Errorf("the window copies the command %s", command)
	}
	shell := exec.Command("sh", "-c", "goated() { '"+buildWindow(d.t)+"' \"$@\"; }; "+command+" --yes --data '"+filepath.Join(d.place.home, "other")+"'")
	shell.Env, shell.Dir = d.place.env, d.place.project
	if out, err := shell.Output(); err != nil || !strings.Contains(string(out), "success") {
		d.t.Errorf("%s: %v\n%s", command, err, out)
	}
	file := filepath.Join(d.place.home, "messages.json")
	d.answers("Export", func() { d.click(1213, 28) })
	d.press("ctrl+a")
	d.write(file)
	d.press("Return")
	d.until("the messages are exported", func() bool { _, err := os.Stat(file); return err == nil })
	d.sheetCloses()
	out, err := d.command("inspect", file, "--commands").Output()
	if err != nil || strings.TrimSpace(string(out)) != call {
		d.t.Errorf("the file has the commands %s, %v", out, err)
	}
}

// artifacts opens the artifacts page, which shows the project with its outlines and imports. The
// model writes a summary of a file, and writes it again after the file has changed.
func (d *desk) artifacts(s *geminitest.Server) {
	d.t.Helper()
	t, p, before := d.t, d.place, len(s.Requests())
	const source = "package trip\n\n// Plan plans a trip.\nfunc Plan() {}\n"
	for name, text := range map[string]string{
		"go.mod": "module example.com/trip\n", "trip/plan.go": source,
		"cmd/main.go": "package main\n\nimport \"example.com/trip/trip\"\n\nfunc main() { trip.Plan() }\n",
	} {
		full := filepath.Join(p.project, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	d.press("ctrl+shift+a")
	outline := d.copied(func() { // once goated has read the project
		d.press("ctrl+f", "ctrl+a")
		d.write("plan.go")
		d.press("Return")
		d.still()
		d.click(1096, 87)
	})
	if !strings.Contains(outline, "func Plan()  (4)") {
		t.Errorf("the window copies the outline %s", outline)
	}
	d.keep("artifacts1")
	d.click(1150, 139) // the button that writes the summary
	d.summary("It plans trips.")
	if body := string(s.Requests()[before].Body); !strings.Contains(body, "func Plan() {}") || strings.Contains(body, "functionDeclarations") {
		t.Errorf("the model gets %s", body)
	}
	d.until("the window shows that it is current", func() bool { return d.shows(darkStale)+d.shows(lightStale) < 1000 })

	p.write("trip/plan.go", strings.Replace(source, "Plan()", "Plan(days int)", 1))
	d.insist("F5", "the window says that it is out of date", func() bool { return d.shows(darkStale)+d.shows(lightStale) > 5000 })
	d.still()
	d.keep("artifacts2")
	d.click(1150, 139)
	d.summary("It plans long trips.")
	if body := string(s.Requests()[before+1].Body); !strings.Contains(body, "func Plan(days int) {}") {
		t.Errorf("the model gets %s", body)
	}

	d.rests()
	list := d.look().Pix
	d.click(990, 28) // opens the import graph
	d.until("the graph is drawn", func() bool { return !bytes.Equal(list, d.look().Pix) })
	d.rests()
	d.keep("artifacts3")
}

// summary waits until the summary of trip/plan.go is stored.
func (d *desk) summary(want string) {
	d.t.Helper()
	d.until("the summary is stored: "+want, func() bool {
		text, err := os.ReadFile(filepath.Join(d.place.project, ".artifacts", "trip", "plan.go.summarize.md"))
		return err == nil && string(text) == want
	})
}

// These are the background colours of things that wait for the user, for example an outdated
// summary.
var (
	lightStale = color.RGBA{0xFA, 0xF1, 0xDF, 0xFF}
	darkStale  = color.RGBA{0x2C, 0x26, 0x18, 0xFF}
)
