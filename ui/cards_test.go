package ui_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// called returns a chat with one call of a tool and its result.
func called(tool string, args map[string]any, more ...agent.Event) view.Chat {
	c := view.Chat{}.Say("How are the regions doing this week?").
		Apply(agent.ToolCalled{ID: "1", Server: "shop", Tool: tool, Args: args}).
		Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce})
	for _, e := range more {
		c = c.Apply(e)
	}
	return c
}

func TestCardOpensAndCopiesAll(t *testing.T) {
	d := newDesk(t, ui.Options{})
	var long strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	args := map[string]any{"path": "big.txt"}
	before := d.window.Ticking()
	d.window.ShowChat(called("read", args), true)
	if d.window.Ticking() <= before {
		t.Error("a running card does not turn")
	}
	d.window.ShowChat(called("read", args, agent.ToolReturned{ID: "1", Result: textResult(long.String())}), false)
	d.beats(10)
	if d.window.Ticking() > before {
		t.Error("a complete card still turns")
	}
	if d.Reads("Result") {
		t.Error("the card is not closed at first")
	}
	d.Press("read")
	if !d.Reads("Result") || !d.Reads("Arguments") {
		t.Fatal("the card does not open")
	}
	if note := d.Find("Showing the first 200 of 1001 lines"); !strings.Contains(note, "Copy copies all") {
		t.Errorf("the card does not say that it shows a part, and how to get the rest: %q", note)
	}
	d.Press("Copy", 1) // the first copies the arguments
	if got := d.Clipboard(); got != long.String() {
		t.Errorf("%d bytes were copied, not %d", len(got), long.Len())
	}
	if !d.Reads("Copied") {
		t.Error("the window does not say that it copied")
	}
	d.Press("read")
	if d.Reads("Result") {
		t.Error("the card does not close")
	}
}

// The transcript follows a growing answer only while its end is visible.
func TestTranscriptFollowsOnlyAtItsEnd(t *testing.T) {
	d := newDesk(t, ui.Options{})
	text := ""
	for i := range 80 {
		text += fmt.Sprintf("word %d\n\n", i)
	}
	chat := view.Chat{}.Say("go").Apply(agent.TextDelta{Text: text})
	d.window.ShowChat(chat, false)
	last := func(want string) bool { _, _, seen := d.Place(want); return seen }
	grow := func(mark string) {
		chat = chat.Apply(agent.TextDelta{Text: text + mark + "\n\n"})
		d.window.ShowChat(chat, false)
	}
	grow("first end")
	if !last("first end") {
		t.Error("the transcript does not follow the answer")
	}
	d.ScrollAt(fyne.NewPos(700, 400), 500)
	inSight := func() (at fyne.Position) {
		for i := range 80 {
			if pos, _, seen := d.Place(fmt.Sprintf("word %d", i)); seen && pos.Y > 300 {
				return pos
			}
		}
		t.Fatal("no word is in sight")
		return at
	}
	before := inSight()
	grow("second end")
	if now := inSight(); last("second end") || now != before {
		t.Errorf("the text moved away under the reader, from %v to %v", before, now)
	}
}

func TestTreeByKeys(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowChat(called("t", map[string]any{"a": map[string]any{"b": []any{"x\ny", 2}}, "c": nil}), true)
	d.Press("t")
	d.Press("Fold all")
	d.FocusTree()
	for _, key := range []fyne.KeyName{fyne.KeyHome, fyne.KeyRight, fyne.KeyDown, fyne.KeyRight, fyne.KeyDown} {
		d.Key(key)
	}
	d.Ctrl(fyne.KeyC)
	if got := d.Clipboard(); got != "x\ny" {
		t.Errorf("the value that was copied is %q", got)
	}
	d.Shortcut(fyne.KeyC, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
	if got := d.Clipboard(); got != "$.a.b[0]" {
		t.Errorf("the path that was copied is %q", got)
	}
	if !d.Says(`x\ny`) && !d.Says("x ↵ y") && !d.Says(`"x`) {
		t.Errorf("the value is not shown: %q", d.Texts())
	}
	d.Key(fyne.KeyLeft)
	d.Key(fyne.KeyLeft)
	if d.Says(`"x`) {
		t.Error("Left does not fold the value's list")
	}
}

func TestSaveSheetAsksBeforeItReplaces(t *testing.T) {
	d := shown(t, ui.Options{})
	path := filepath.Join(t.TempDir(), "chart.png")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	const field = "/path/to/file"
	d.window.Save("chart.png", []byte("new"))
	if !strings.HasSuffix(d.Field(field), "chart.png") {
		t.Fatal("the sheet does not suggest a name")
	}
	d.Enter(field, path)
	d.Press("Save")
	d.sees("A file with that name exists. Press Replace to overwrite it.")
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Error("the file was written before the user answered")
	}
	d.Press("Replace")
	d.until("the sheet closes", func() bool { return d.Layers() == 0 })
	if data, _ := os.ReadFile(path); string(data) != "new" {
		t.Errorf("the file says %q", data)
	}
	d.window.Save("chart.png", nil)
	d.Enter(field, "/no/such/folder/chart.png")
	d.Press("Save")
	d.sees("The file can't be written: no such file or directory.")
}

// A card with ten megabytes opens the viewer. The viewer shows, searches and copies the text
// and switches to raw text, while the window stays responsive.
func TestViewerOfTenMegabytes(t *testing.T) {
	const size = 10 << 20 // below 8 MB, a result is a tree
	d := shown(t, ui.Options{})
	text := samples.OrderList(size)
	d.show(called("list_orders", map[string]any{"all": true}, agent.ToolReturned{ID: "1", Result: textResult(text)}))
	d.Press("list_orders")
	d.Press("Show all (10.5 MB)")
	d.until("the text is read and indented", func() bool { return d.Reads("1") && d.Says(`"orders": [`) })
	d.Ctrl(fyne.KeyF)
	if !d.FieldFocused("Find") {
		t.Fatal("Ctrl+F does not lead to the search")
	}
	d.Enter("Find", "LAST")
	d.sees("Not found")
	d.Enter("Find", `"last`)
	d.sees("1 of 1")
	d.until("the place is in sight", func() bool { return d.Says(`"id": "last"`) })
	d.Enter("Find", "ada")
	places := func() (at, all int) {
		n, err := fmt.Sscanf(strings.ReplaceAll(d.Find(" of "), ",", ""), "%d of %d", &at, &all)
		if err != nil || n != 2 {
			return 0, 0
		}
		return at, all
	}
	d.until("all places are found", func() bool { _, all := places(); return all > size/1100 })
	at, all := places()
	d.PressIcon("chevron-up", d.Icons("chevron-up")-1)
	if now, _ := places(); now != (at+all-2)%all+1 {
		t.Errorf("the place before %d of %d is %d", at, all, now)
	}
	d.Press("Raw")
	d.until("the raw text is shown", func() bool { return !d.Says(`"orders": [`) && d.Says(`{"orders":[`) || d.Says(`"id":"last"`) })
	d.Press("Copy all")
	if d.Clipboard() != text {
		t.Error("something else was copied")
	}
	d.FocusField("Find")
	d.Key(fyne.KeyEscape)
	if d.Layers() != 0 {
		t.Error("Escape does not close the viewer")
	}
}

// silence returns a WAV file of the given length.
func silence(seconds int) []byte {
	le := binary.LittleEndian
	b := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"), 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0)
	b = le.AppendUint32(append(b, "data"...), uint32(seconds*16000))
	return append(b, make([]byte, seconds*16000)...)
}

// The system plays a sound from a file whose extension comes from its bytes. The file is
// deleted when the window closes. Data that only claims to be a sound is not opened.
func TestSoundsArePlayed(t *testing.T) {
	d := shown(t, ui.Options{})
	result := func(data []byte) agent.Event {
		return agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.AudioContent{MIMEType: "audio/wav", Data: data}}}}
	}
	d.show(called("bell", nil, result(silence(3))))
	d.Press("bell")
	if !d.Says("0:03") {
		t.Error("the card does not say how long the sound is")
	}
	d.Press("Play")
	address, err := url.Parse(waittest.Receive(t, "the sound is opened", d.opened))
	if err != nil {
		t.Fatal(err)
	}
	path := address.Path
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, silence(3)) || filepath.Ext(path) != ".wav" {
		t.Errorf("%s holds %d bytes, %v", path, len(got), err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	d.newChat()
	d.show(called("evil", nil, result([]byte("[Desktop Entry]\nExec=evil\n"))))
	d.Press("evil")
	if !d.Reads("Result") && !d.Says("audio") {
		t.Errorf("the card is not open: %q", d.Texts())
	}
	if d.Reads("Play") {
		t.Error("the window offers to play data that is no sound")
	}
	d.window.Close()
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the file outlives the window: %v", err)
	}
}
