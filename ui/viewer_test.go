package ui

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/agent"
	"goated/ui/jsonview"
	"goated/ui/kit"
	"goated/ui/transcript"
	"goated/ui/view/picture"
)

// big is JSON of about so many bytes, as a server sends it.
func big(bytes int) string {
	var b strings.Builder
	b.WriteString(`{"orders":[`)
	row := `{"id":100001,"customer":{"name":"Ada Lovelace","tags":["a","b"]},"note":"leave it at the door","total":12.5},`
	for b.Len() < bytes {
		b.WriteString(row)
	}
	b.WriteString(`{"id":"last"}]}`)
	return b.String()
}

func TestSaveWritesWholeFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	if err := writeFile(path, []byte("one"), false); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(path, []byte("two"), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file was written over: %v", err)
	}
	if err := writeFile(path, []byte("two"), true); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "two" {
		t.Errorf("the file says %q", data)
	}
	for _, bad := range []string{"a.json", filepath.Join(dir, "none", "a"), dir} {
		if err := writeFile(bad, nil, true); err == nil {
			t.Errorf("%s was written", bad)
		}
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTreeByKeysAndPointer(t *testing.T) {
	d := newDesk(t, Options{})
	c := d.cards(agent.ToolCalled{ID: "1", Tool: "t", Args: map[string]any{"a": map[string]any{"b": []any{"x\ny", 2}}, "c": nil}})[0]
	c.Toggle()
	r, ok := find(d, func(r *jsonview.Row) bool { return true })
	if !ok {
		t.Fatal("the arguments are no tree")
	}
	tr := r.Tree
	tr.Work = kit.Runner{}
	kit.Focus(tr.List)
	tr.FoldAll()
	press(tr.List, fyne.KeyDown)
	press(tr.List, fyne.KeyUp)
	press(tr.List, fyne.KeyHome)
	tr.Choose(0)
	press(tr.List, fyne.KeyRight)
	press(tr.List, fyne.KeyDown)
	press(tr.List, fyne.KeyRight)
	press(tr.List, fyne.KeyDown)
	tr.List.TypedShortcut(&fyne.ShortcutCopy{Clipboard: d.app.Clipboard()})
	if got := d.app.Clipboard().Content(); got != "x\ny" {
		t.Errorf("the value copied is %q", got)
	}
	tr.List.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyC, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift})
	if got := d.app.Clipboard().Content(); got != "$.a.b[0]" {
		t.Errorf("the path copied is %q", got)
	}
	press(tr.List, fyne.KeyLeft)
	press(tr.List, fyne.KeyLeft)
	if n := len(tr.Model.Rows); n != 3 {
		t.Errorf("after folding there are %d rows", n)
	}
	r, _ = find(d, func(r *jsonview.Row) bool { return r.Index == 0 })
	r.MouseIn(nil)
	r.Tapped(&fyne.PointEvent{Position: fyne.NewPos(r.Size().Width-kit.ListBarWidth-5, 5)})
	if got := d.app.Clipboard().Content(); got != "$.a" {
		t.Errorf("the pointer copied %q", got)
	}
	r.Tapped(&fyne.PointEvent{Position: fyne.NewPos(30, 5)})
	if n := len(tr.Model.Rows); n != 2 {
		t.Errorf("after a press there are %d rows", n)
	}
}

// What runs moves while it is seen; what is scrolled away, or at rest, does not.
func TestCardMovesOnlyWhileItRunsAndIsSeen(t *testing.T) {
	d := newDesk(t, Options{})
	began := d.clock
	call := []agent.Event{
		agent.ToolCalled{ID: "1", Tool: "dig"},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: began},
		agent.ToolProgressed{ID: "1", Progress: 5, Message: "digging"},
	}
	c := d.cards(call...)[0]
	d.clock = began.Add(3 * time.Second)
	d.beats(1)
	if c.Head.Took.Text != "3.0 s" || c.Bar.Step != 1 {
		t.Errorf("it took %q, at step %d", c.Head.Took.Text, c.Bar.Step)
	}
	shown := d.chats.Transcript.View.List.Objects
	d.chats.Transcript.View.List.Objects = nil // as the transcript does with what is out of sight
	d.clock = began.Add(9 * time.Second)
	d.beats(3)
	if c.Head.Took.Text != "3.0 s" || c.Bar.Step != 1 {
		t.Error("it moves although nobody sees it")
	}
	d.chats.Transcript.View.List.Objects = shown
	beats := len(d.Window.shell.Clock.Tickers)
	d.cards(append(call, agent.ToolReturned{ID: "1", Duration: 10 * time.Second, Result: said("gold")})...)
	if c.Head.Took.Text != "10 s" || !c.Way.Hidden {
		t.Errorf("at the end it took %q", c.Head.Took.Text)
	}
	if c.Halo.Step != 0 {
		t.Error("nothing marks that it came back")
	}
	d.beats(transcript.FlashSteps)
	if n := len(d.Window.shell.Clock.Tickers); n != beats-1 {
		t.Errorf("%d beats are left of %d", n, beats)
	}
	if c.Head.Mark.Side != 16 {
		t.Errorf("the mark is %v high", c.Head.Mark.Side)
	}
}

// What is open stays as it was folded while the tool goes on talking.
func TestProgressKeepsTheTree(t *testing.T) {
	d := newDesk(t, Options{})
	call := []agent.Event{
		agent.ToolCalled{ID: "1", Tool: "dig", Args: map[string]any{"a": map[string]any{"b": 1}}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
	}
	c := d.cards(call...)[0]
	c.Toggle()
	r, _ := find(d, func(r *jsonview.Row) bool { return true })
	tr := r.Tree
	tr.FoldAll()
	for i := range 3 {
		call = append(call, agent.ToolProgressed{ID: "1", Progress: float64(i), Total: 3, Message: "line " + string(rune('a'+i))})
		d.cards(call...)
	}
	if again, _ := find(d, func(r *jsonview.Row) bool { return true }); again.Tree != tr || len(tr.Model.Rows) != 1 {
		t.Error("the tree was built again")
	}
	if !d.reads("line a\nline b\nline c") || c.Head.Status.Text != "67 %" {
		t.Errorf("the card says %q", c.Head.Status.Text)
	}
}

func TestImageThatCannotBeShown(t *testing.T) {
	for name, data := range map[string][]byte{
		"goated can't show this image: save it and open it elsewhere": []byte("no image"),
		"the image is too large to show (8.4 MB of at most 8.4 MB)":   make([]byte, 8<<20+1),
		"the image is damaged": chart(40, 40)[:60],
	} {
		if _, err := picture.Decode(data, 100); err == nil || err.Error() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := picture.Decode(chart(500, 200), 100)
	if err != nil || p.Width != 500 || p.Image.Bounds().Dx() != 100 {
		t.Errorf("%+v, %v", p, err)
	}
}
