// Package searchfield is a field that searches all conversations and shows the results. It owns
// the typed text and the mark on a result. It must not depend on the source of the results, or on
// what opens one.
package searchfield

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/errtext"
	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view/format"
	"goated/ui/virtual"
)

// A Field is the search field of the sidebar. Its results replace the list of conversations. The
// field keeps the focus: the arrow keys move through the results, and Enter opens one.
type Field struct {
	Root    *fyne.Container
	Input   *kit.Input
	Results *fyne.Container // hidden unless there is a search
	wipe    *kit.Button
	width   float32 // the width of the results
	rack    *virtual.VarList
	note    *kit.Paragraph // shows the number of results, or why there are none

	clock *kit.Clock
	pause *kit.Ticker // runs until the search starts
	Now   func() time.Time
	found found

	On Events
}

// Events are the callbacks of the search field. Each may be nil.
type Events struct {
	Search func(query string) // starts a search and cancels an earlier one; pass the result to [Field.Found]
	Open   func(h store.Hit, query string)
	Show   func(on bool) // the results were shown or hidden
	Leave  func()        // the user pressed Escape in an empty field
}

// found is the result of the last search.
type found struct {
	query string // the query for hits
	hits  []store.Hit
	at    int // the index of the marked hit; -1: none
}

const (
	hitRow      = iota // the kind of a row, and its height
	hitHeight   = 68
	snippetLine = 16 // the height of the second line of a snippet, which a short one does not have

	// Most limits the number of shown results.
	Most = 100
)

// New returns a field with results of the given width.
func New(c *kit.Clock, width float32) *Field {
	f := &Field{width: width, clock: c, rack: virtual.NewVarList(), found: found{at: -1}, Now: time.Now}
	f.Input = kit.NewInput(c, "Search conversations", false)
	f.wipe = kit.NewButton(kit.Ghost, "close", "", f.clear).Small()
	f.wipe.Hidden = true
	ground := kit.NewField(f.Input)
	ground.Objects[1] = kit.Inset(kit.Margin{Top: 0, Right: 3, Bottom: 0, Left: 10}, kit.Horizontal(0, f.Input, kit.NewIcon("search", 15, kit.ColorFaint), f.Input, f.wipe))
	f.Root = container.New(kit.Fixed{Min: fyne.NewSize(1, 36)}, ground)
	f.Input.OnTyped = f.typed
	f.Input.OnSubmit = func() { f.open(f.found.at) }
	f.Input.OnKey = f.key
	f.note = kit.NewText("", 12, 17, kit.ColorMuted)
	f.rack.Make = func(int) (fyne.CanvasObject, any) {
		r := newHit()
		r.spot.OnTapped = func() { f.open(r.at) }
		return r.root, r
	}
	f.rack.Bind = func(row virtual.VarRow, o any) {
		o.(*hit).set(row.At, f.found.hits[row.At], format.Ago(f.found.hits[row.At].When, f.Now()), row.At == f.found.at)
	}
	top := kit.Inset(kit.Margin{Top: 8, Right: 12, Bottom: 6, Left: 12}, f.note)
	f.Results = container.New(&kit.Stacked{Head: top, Body: f.rack.Root, Foot: kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)}, top, f.rack.Root)
	f.Results.Hide()
	return f
}

// typed starts a search when the user pauses typing.
func (f *Field) typed() {
	query := strings.TrimSpace(f.Input.Text)
	f.stop()
	if query == "" {
		f.found.query, f.found.hits, f.found.at = "", nil, -1
		if f.On.Search != nil {
			f.On.Search("")
		}
		f.show(false)
		return
	}
	if f.found.query == query {
		return
	}
	if !f.Results.Visible() {
		f.say("Searching…", nil)
		f.show(true)
	}
	f.pause = f.clock.Add(1, func() {
		f.stop()
		if f.On.Search != nil {
			f.On.Search(query)
		}
	})
}

func (f *Field) stop() {
	if f.pause != nil {
		f.clock.Remove(f.pause)
		f.pause = nil
	}
}

func (f *Field) show(on bool) {
	f.wipe.Hidden = !on
	f.Root.Objects[0].(*fyne.Container).Refresh()
	if f.Results.Hidden == on {
		f.Results.Hidden = !on
		if f.On.Show != nil {
			f.On.Show(on)
		}
	}
}

// Found shows the results of a search, or its error.
func (f *Field) Found(query string, hits []store.Hit, err error) {
	if query != strings.TrimSpace(f.Input.Text) {
		return // the text in the field has changed
	}
	f.found.query, f.found.at = query, -1
	switch {
	case err != nil:
		f.found.query = "" // allows the same query to run again
		f.say(fmt.Sprintf("The search failed. %s", errtext.PlainSentence(err)), nil)
	case len(hits) == 0:
		f.say(fmt.Sprintf("Nothing found for “%s”. All your words must be in one message and its answer, or in a title.", format.Cut(query, 40)), nil)
	case len(hits) == Most:
		f.found.at = 0
		f.say(format.Plural(Most, "The newest %d place", "The newest %d places"), hits)
	default:
		f.found.at = 0
		f.say(format.Plural(len(hits), "Found in one place", "Found in %d places"), hits)
	}
}

func (f *Field) say(note string, hits []store.Hit) {
	f.found.hits = hits
	f.note.SetText(note)
	rows := make([]virtual.VarRow, len(hits))
	for i := range rows {
		rows[i] = virtual.VarRow{Kind: hitRow, At: i, Height: heightOf(hits[i], f.width)}
	}
	f.rack.Show(rows)
	f.rack.GoTo(0)
	if s := f.Results.Size(); s.Width > 0 {
		f.Results.Layout.Layout(f.Results.Objects, s)
	}
}

// key handles the keys that move the mark, and Escape.
func (f *Field) key(e *fyne.KeyEvent) bool {
	to, n := f.found.at, len(f.found.hits)
	switch e.Name {
	case fyne.KeyEscape:
		if f.Input.Text == "" {
			if f.On.Leave != nil {
				f.On.Leave()
			}
		} else {
			f.clear()
		}
		return true
	case fyne.KeyDown:
		to++
	case fyne.KeyUp:
		to--
	case fyne.KeyPageDown:
		to += 6
	case fyne.KeyPageUp:
		to -= 6
	default:
		return false
	}
	if n > 0 {
		f.mark(max(min(to, n-1), 0))
	}
	return true
}

func (f *Field) mark(i int) {
	f.found.at = i
	f.rack.Arrange(true)
	f.rack.Reveal(i)
}

// clear clears the field and shows the list again.
func (f *Field) clear() {
	f.Input.SetText("")
	kit.Focus(f.Input)
}

func (f *Field) open(i int) {
	if i < 0 || i >= len(f.found.hits) {
		return
	}
	f.mark(i)
	if f.On.Open != nil {
		f.On.Open(f.found.hits[i], f.found.query)
	}
}
