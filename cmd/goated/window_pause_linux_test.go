package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/geminitest"
	"goated/internal/waittest"
)

// pauseUnder runs "goated serve pause" like another MCP client without elicitation.
func (d *desk) pauseUnder() *mcp.ClientSession {
	d.t.Helper()
	cmd := exec.Command(buildWindow(d.t), "serve", "pause", "--data", d.data)
	cmd.Env, cmd.Dir = d.place.env, d.place.project
	session, err := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, nil).Connect(d.t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = session.Close() })
	return session
}

// These are the background colours of the warning in a dangerous dialog.
var (
	lightWarning = color.RGBA{0xFB, 0xEF, 0xED, 0xFF}
	darkWarning  = color.RGBA{0x2E, 0x1F, 0x1D, 0xFF}
)

// dialogOpens waits until a dialog covers the page, which dims the page.
func (d *desk) dialogOpens() {
	d.t.Helper()
	d.until("the dialog opens", func() bool { return d.shows(darkGround)+d.shows(lightGround) < 1000 })
	d.still()
	time.Sleep(800 * time.Millisecond) // at first it accepts no answer
}

// answersAnotherClient lets a model in another MCP client ask. The window shows the dialog, and the
// answer goes back through the socket. Esc cancels, also from the list of options. Each kind of dialog
// can be answered by keyboard, also one whose caller gave up.
func (d *desk) answersAnotherClient() {
	d.t.Helper()
	t, s := d.t, d.pauseUnder()
	result := make(chan *mcp.CallToolResult, 1)
	ask := func() {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "planner", Arguments: json.RawMessage(`{"decision_context":"Which part first?","plan":"1. store\n2. screens","options":[{"label":"Store","value":"store"},{"label":"Screens","value":"screens"}]}`)})
		if err != nil {
			t.Error(err)
		}
		result <- r
	}
	go ask()
	d.dialogOpens()
	answered := func() bool { return len(result) > 0 }
	d.press("1")
	d.insist("Escape", "the dialog closes", answered)
	if r := <-result; !strings.Contains(r.Content[0].(*mcp.TextContent).Text, `"status":"cancelled"`) {
		t.Errorf("after Esc, the client gets %v", r.Content)
	}
	d.sheetCloses()
	go ask()
	d.dialogOpens()
	d.press("2", "d")
	d.insist("ctrl+Return", "the dialog is answered", answered)
	r := <-result
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError || !strings.Contains(text, `"choice":"screens"`) || !strings.Contains(text, `"thinkingMode":"deep"`) || !strings.Contains(text, `"action":"execute"`) {
		t.Errorf("the client gets %s", text)
	}
	d.sheetCloses()
	d.dialogs(s)
	d.questionsPage()
	d.givesUp(s)
	_ = s.Close()
}

// dialogs answers the other kinds of dialogs by keyboard, as another client asks them.
func (d *desk) dialogs(s *mcp.ClientSession) {
	d.t.Helper()
	at := d.screen.points
	picture := filepath.Join(d.t.TempDir(), "red.png") // xclip stays with the display, beside the place
	if out, err := exec.Command("convert", "-size", fmt.Sprintf("%dx%d", at(80), at(60)), "xc:red", picture).CombinedOutput(); err != nil {
		d.t.Fatalf("%v: %s", err, out)
	}
	const options = `"options":[{"label":"Ant","value":"a"},{"label":"Bee","value":"b"},{"label":"Cat","value":"c"}]`
	for i, step := range []struct {
		tool, args string
		do         func()
		submit     string
		want       string
	}{
		{"text_input", `{"question":"What is it called?"}`, func() { d.write("Zanzibar") }, "ctrl+Return", `"text":"Zanzibar"`},
		{"single_choice", `{"question":"Which one?",` + options + `}`, func() { d.sees("2") }, "Return", `"choice":"b"`},
		{"multi_choice", `{"question":"Which two?","minSelections":2,"maxSelections":2,` + options + `}`, func() { d.sees("1"); d.sees("3") }, "Return", `"choices":["a","c"]`},
		{"screenshot_request", `{"question":"How does it look?"}`, func() {
			d.run("sh", "-c", "xclip -selection clipboard -t image/png -i '"+picture+"' >/dev/null 2>&1")
			d.sees("ctrl+v")
		}, "ctrl+Return", `"attachments"`},
		{"screenshot_request", `{"question":"Which part of the screen?"}`, d.marks, "ctrl+Return", `"region.png"`},
	} {
		result := make(chan *mcp.CallToolResult, 1)
		go func() {
			r, err := s.CallTool(d.t.Context(), &mcp.CallToolParams{Name: step.tool, Arguments: json.RawMessage(step.args)})
			if err != nil {
				d.t.Error(err)
			}
			result <- r
		}()
		d.dialogOpens()
		step.do()
		d.keep(step.tool + strconv.Itoa(i))
		d.insist(step.submit, step.tool+" is answered", func() bool { return len(result) > 0 })
		r := <-result
		text, pictures := "", 0
		for _, c := range r.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				text += c.Text
			case *mcp.ImageContent:
				pictures++
				if got := redIn(c.Data); got != at(80)*at(60) {
					d.t.Errorf("%s: the client gets a picture with %d red points, not %d x %d", step.args, got, at(80), at(60))
				}
			}
		}
		if r.IsError || !strings.Contains(text, step.want) || (pictures > 0) != (step.tool == "screenshot_request") {
			d.t.Errorf("%s: the client gets %d pictures and %s", step.tool, pictures, text)
		}
		d.sheetCloses()
	}
}

// givesUp lets the client of a model give up before the user has answered. The dialog stays with
// what the user types, and the same question gets its answer at once.
func (d *desk) givesUp(s *mcp.ClientSession) {
	d.t.Helper()
	question := &mcp.CallToolParams{Name: "text_input", Arguments: json.RawMessage(`{"question":"Where is it?"}`)}
	ctx, giveUp := context.WithCancel(d.t.Context())
	gone := make(chan error, 1)
	go func() { _, err := s.CallTool(ctx, question); gone <- err }()
	d.dialogOpens()
	d.write("Zanz")
	giveUp()
	if err := waittest.Receive(d.t, "the call of the caller that gave up ends", gone); !errors.Is(err, context.Canceled) {
		d.t.Errorf("the call ends with %v", err)
	}
	d.write("ibar")
	d.keep("gave-up")
	d.insist("ctrl+Return", "the dialog closes", func() bool { return d.shows(darkGround)+d.shows(lightGround) >= 1000 })
	r, err := s.CallTool(d.t.Context(), question)
	if err != nil || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, `"text":"Zanzibar"`) {
		d.t.Errorf("the client gets %+v, %v", r, err)
	}
}

// marks marks a region of a window that is behind goated's: goated hides, the screen gets
// darker, and the dialog comes back. The first time, Esc brings it back without a picture.
func (d *desk) marks() {
	d.t.Helper()
	at := d.screen.points
	red, err := xproto.NewWindowId(d.x)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := xproto.CreateWindowChecked(d.x, d.root.RootDepth, red, d.root.Root, int16(at(100)), int16(at(100)), uint16(at(300)), uint16(at(200)), 0, xproto.WindowClassInputOutput, d.root.RootVisual,
		xproto.CwBackPixel|xproto.CwOverrideRedirect, []uint32{0xFF0000, 1}).Check(); err != nil {
		d.t.Fatal(err)
	}
	defer xproto.DestroyWindow(d.x, red)
	xproto.ConfigureWindow(d.x, red, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeBelow})
	xproto.MapWindow(d.x, red)
	d.still()
	dark := func() bool { return d.shows(color.RGBA{0x7F, 0, 0, 0xFF}) == 300*200 }
	back := func() bool { return d.shows(color.RGBA{0x7F, 0, 0, 0xFF}) == 0 && len(d.colours()) > 20 }
	d.sees("Tab") // to "Mark a region…"
	d.insist("space", "the screen waits for a region", dark)
	d.insist("Escape", "the dialog comes back", back)
	d.still()
	d.insist("space", "the screen waits for a region again", dark)
	d.move(150, 150)
	d.run("xdotool", "mousedown", "1")
	d.move(190, 180)
	d.move(230, 210) // with 80 x 60 units between
	d.until("the region is as bright as before", func() bool { return d.shows(color.RGBA{0xFF, 0, 0, 0xFF}) > 72*52 })
	d.run("xdotool", "mouseup", "1")
	d.until("the dialog comes back with the picture", back)
	d.still()
}

// redIn counts the red pixels of a picture.
func redIn(data []byte) (n int) {
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return -1
	}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); r == 0xFFFF && g == 0 && b == 0 {
				n++
			}
		}
	}
	return n
}

// keep saves a screenshot in the folder that GOATED_LOOK names.
func (d *desk) keep(name string) {
	d.t.Helper()
	if look := os.Getenv("GOATED_LOOK"); look != "" {
		d.save(filepath.Join(look, name+".png"))
	}
}

// sees presses a key repeatedly until the window changes.
func (d *desk) sees(key string) {
	d.t.Helper()
	before := d.sum()
	d.insist(key, "the window answers "+key, func() bool { return d.sum() != before })
	d.still()
}

// questionsPage searches the questions and answers.
func (d *desk) questionsPage() {
	d.t.Helper()
	filled := func() (n int) { // how much of the list is not empty
		colour := d.sight()
		empty := colour(1200, 800)
		for y := 165; y < 740; y++ {
			for x := 400; x < 1140; x++ {
				if colour(x, y) != empty {
					n++
				}
			}
		}
		return n
	}
	d.do("questions of programs")
	const card = 80 * 740
	d.until("the page shows seven questions", func() bool { n := filled(); return n > 6*card && n < 8*card })
	d.write("zanzibar")
	d.until("the search leaves one", func() bool { n := filled(); return n > card*9/10 && n < 2*card })
	d.write("x")
	d.until("nothing has these words", func() bool { return filled() < card*9/10 })
	d.keep("questions")
	d.press("Escape")
}

// dangerousReplies are the replies of a model that asks a dangerous question, and goes on.
func dangerousReplies() []geminitest.Reply {
	return []geminitest.Reply{
		geminitest.Calls(geminitest.Call("pause__confirm", map[string]any{"question": "Delete it?", "isDangerous": true})),
		geminitest.Text("Then I go on."),
	}
}

// isCareful lets the model of the conversation ask in turn n with the same dialogs, through goated's
// own server. The dialog is in the conversation, and Enter does not choose the dangerous answer.
func (d *desk) isCareful(n int, s *geminitest.Server) {
	d.t.Helper()
	before := len(s.Requests())
	d.say("ask me")
	d.until("the dialog stands in the conversation", func() bool {
		return d.shows(lightWarning)+d.shows(darkWarning) > 1000 && d.shows(darkGround)+d.shows(lightGround) > 1000
	})
	time.Sleep(600 * time.Millisecond) // at first it accepts no answer
	d.insist("Return", "the dialog is answered", func() bool { return len(s.Requests()) > before+1 })
	d.turn(n)
	if body := string(s.Requests()[before+1].Body); !strings.Contains(body, `\"confirmed\":false`) {
		d.t.Errorf("the model gets %s", body)
	}
}
