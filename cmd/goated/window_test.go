//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"goated/internal/geminitest"
	"goated/internal/servertest"
)

// A desk is a display without a screen, with the real window on it and somebody
// at keyboard and mouse.
type desk struct {
	t       testing.TB
	display string
	log     bytes.Buffer // what the program wrote; read after it has ended
	program *exec.Cmd
}

// buildWindow builds the program as a user has it. The build cache makes it
// cheap after the first time.
func buildWindow(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "goated")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the window: %v\n%s", err, out)
	}
	return path
}

// startDisplay starts a display without a screen, for as long as the test.
func startDisplay(t testing.TB) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x840x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		t.Fatalf("starting Xvfb, which \"make tools\" installs: %v", err)
	}
	_ = write.Close()
	t.Cleanup(func() { _ = x.Process.Kill(); _ = x.Wait() })
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb has no display: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

// openDesk starts a display and goated on it, and waits for the window.
func openDesk(t *testing.T, p *place, args ...string) *desk {
	t.Helper()
	d := &desk{t: t}
	d.display = startDisplay(t)
	// The welcome is shown once, and these have seen it.
	data := filepath.Join(p.home, "D")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "settings.json"), []byte(`{"welcomed":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	d.program = exec.Command(buildWindow(t), args...)
	d.program.Dir = p.project
	d.program.Env = append(p.env, "DISPLAY="+d.display, "LANG=en_US.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1")
	d.program.Stdout, d.program.Stderr = &d.log, &d.log
	if err := d.program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.program.Process.Kill(); _ = d.program.Wait() })
	d.until("the window is there", func() bool {
		return d.try("xdotool", "search", "--onlyvisible", "--name", "goated") != ""
	})
	d.until("the window is painted", func() bool { return len(colours(d.look())) > 20 })
	return d
}

func (d *desk) try(name string, args ...string) string {
	ctx, cancel := context.WithTimeout(d.t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

func (d *desk) click(x, y int) {
	d.try("xdotool", "mousemove", strconv.Itoa(x), strconv.Itoa(y))
	time.Sleep(250 * time.Millisecond) // Fyne 2.7.1 misses a click that follows at once
	d.try("xdotool", "click", "1")
	time.Sleep(250 * time.Millisecond)
}

func (d *desk) write(text string) { d.try("xdotool", "type", "--delay", "8", text) }

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		d.try("xdotool", "key", k)
		time.Sleep(150 * time.Millisecond)
	}
}

// look takes a picture of the screen.
func (d *desk) look() image.Image {
	out := d.try("import", "-window", "root", "png:-")
	img, err := png.Decode(strings.NewReader(out))
	if err != nil {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	return img
}

func (d *desk) until(what string, done func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.save(filepath.Join(os.TempDir(), "goated-failed.png"))
			d.t.Fatalf("never: %s; see %s", what, filepath.Join(os.TempDir(), "goated-failed.png"))
		}
	}
}

func (d *desk) save(path string) {
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, d.look()); err != nil {
		d.t.Fatal(err)
	}
}

// close ends goated as the session's end does, and sees that it left nothing:
// no complaint of Fyne's about threads, no server.
func (d *desk) close() {
	d.t.Helper()
	_ = d.program.Process.Signal(syscall.SIGTERM)
	done := make(chan error, 1)
	go func() { done <- d.program.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			d.t.Errorf("goated ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		d.t.Fatal("goated does not end on SIGTERM")
	}
	if strings.Contains(d.log.String(), "call thread") || strings.Contains(d.log.String(), "panic") {
		d.t.Errorf("the program said:\n%s", d.log.String())
	}
	if left := children(d.program.Process.Pid); len(left) > 0 {
		d.t.Errorf("processes left behind: %v", left)
	}
}

// children lists the processes of goated's servers that are still there: those
// that have its process as their parent, or had.
func children(pid int) []string {
	var left []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			left = append(left, string(data))
		}
	}
	return left
}

func colours(img image.Image) map[color.Color]int {
	count := make(map[color.Color]int)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 2 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			count[img.At(x, y)]++
		}
	}
	return count
}

// good reports whether the transcript shows the green, #86C29D in the dark
// theme, in which cards say that they are complete.
func good(img image.Image) bool {
	near := func(c, want uint32) bool { return c>>8+8 >= want && c>>8 <= want+8 }
	n := 0
	for y := 60; y < min(img.Bounds().Max.Y, 720); y++ {
		for x := 1000; x < min(img.Bounds().Max.X, 1160); x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); near(r, 0x86) && near(g, 0xC2) && near(b, 0x9D) {
				n++
			}
		}
	}
	return n > 20
}

// readOnly is what the one file holds that the pattern finds.
func readOnly(pattern string) string {
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		return ""
	}
	data, _ := os.ReadFile(found[0])
	return string(data)
}

// The main job in the window: connect a script by typing its path, send a
// message, let the tool run, see its card complete.
func TestWindowEndToEnd(t *testing.T) {
	p := newPlace(t)
	mark := filepath.Join(p.home, "D", "servers", "tally-*", "files", "called") // what it writes is in its own folder
	script := p.write("tally.py", `
import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("tally")

@server.tool()
def count_words(text: str) -> dict[str, int]:
    """Count the words of a text."""
    open(os.environ["STATE_DIRECTORY"] + "/called", "a").write(text + "\n")
    return {"words": len(text.split()), "characters": len(text)}

server.run()
`)
	p.write("notes.md", "# Notes\n")
	d := openDesk(t, p, "--data", filepath.Join(p.home, "D"))

	d.click(1182, 28) // Connect tool
	d.write(script)
	d.press("Return")
	d.until("the server runs", func() bool { return strings.Contains(d.try("pgrep", "-af", script), "python") })
	time.Sleep(1500 * time.Millisecond) // the modal closes by itself when it is connected

	d.write("list the files in .")
	d.press("Return")
	d.until("the bundled tool's card is complete", func() bool { return good(d.look()) })

	d.write(`count words "the quick brown fox"`)
	d.press("Return")
	time.Sleep(time.Second)        // the approval takes no answer in its first moments
	d.press("Tab", "Tab", "space") // Deny, Always, Allow once
	d.until("the tool has run", func() bool { return readOnly(mark) == "the quick brown fox\n" })
	time.Sleep(700 * time.Millisecond)
	if picture := os.Getenv("GOATED_PICTURE"); picture != "" {
		d.try("xdotool", "mousemove", "640", "600")
		time.Sleep(4 * time.Second) // toasts go
		d.save(picture)
	}
	d.close()
}

// What was said is there again after the worst end, and a second start brings
// the first window forward instead of opening another.
func TestWindowKeepsConversations(t *testing.T) {
	p := newPlace(t)
	data := filepath.Join(p.home, "D")
	d := openDesk(t, p, "--data", data)
	second := exec.Command(d.program.Path, "--data", data)
	second.Env = d.program.Env
	if out, err := second.CombinedOutput(); err != nil || !strings.Contains(string(out), "running already") {
		t.Errorf("a second start: %v\n%s", err, out)
	}
	d.write("list the files in .")
	d.press("Return")
	d.until("the card is complete", func() bool { return good(d.look()) })
	time.Sleep(500 * time.Millisecond) // text is kept within a quarter of a second
	_ = d.program.Process.Kill()
	_ = d.program.Wait()

	again := exec.Command(d.program.Path, "--data", data)
	again.Dir, again.Env = d.program.Dir, d.program.Env
	again.Stdout, again.Stderr = &d.log, &d.log
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Process.Kill(); _ = again.Wait() })
	d.program = again
	d.until("the conversation is shown again", func() bool { return good(d.look()) })
	d.close()
}

// A model answers in the window: streamed text, a tool call, and the rest.
func TestWindowWithGemini(t *testing.T) {
	p := newPlace(t)
	s := geminitest.New(t)
	s.Script(
		geminitest.Turn(geminitest.Text("I will ", "look."), geminitest.Call("ghost__read_project_context", map[string]any{"directoryPath": "."})),
		geminitest.Text("There is **hello.txt**", " and a folder."),
	)
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	d := openDesk(t, p, "--data", filepath.Join(p.home, "D"), "--server", servertest.Script("dice.js"))
	d.write("what is here?")
	d.press("Return")
	d.until("the model has been asked twice", func() bool { return len(s.Requests()) == 2 })
	d.until("the card is complete", func() bool { return good(d.look()) })
	d.close()
	s.Done()
}
