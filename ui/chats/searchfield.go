package chats

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/virtual"
)

// A searchField is the search field of the sidebar, with the results in place of the
// list. The field keeps the focus: the arrows move through the results, and Enter
// opens one.
type searchField struct {
	field *fyne.Container
	Input *kit.Input
	wipe  *kit.Button
	page  *fyne.Container
	rack  *virtual.VarList
	note  *kit.Paragraph // the number of results, or why there are none

	clock   *kit.Clock
	pause   *kit.Ticker // until the search starts
	now     func() time.Time
	results searchResults

	On searchEvents
}

// searchEvents are what the search field reports. Each may be nil.
type searchEvents struct {
	Search func(query string) // the result goes to found; ends an earlier search
	Open   func(h store.Hit, query string)
	Show   func(on bool) // the results are shown, or hidden
	Leave  func()        // Escape in an empty field
}

// searchResults are the hits of the last search.
type searchResults struct {
	query string // of hits
	hits  []store.Hit
	at    int // the marked one; -1: none
}

const (
	searchHitRow = iota // the kind of a row, and its height
	hitHeight    = 68
	snippetLine  = 16 // of the second line of a snippet, which a short one lacks

	// maxFound is how many results are shown.
	maxFound = 100
)

func newSearchField(c *kit.Clock) *searchField {
	f := &searchField{clock: c, rack: virtual.NewVarList(), results: searchResults{at: -1}, now: time.Now}
	f.Input = kit.NewInput(c, "Search conversations", false)
	f.wipe = kit.NewButton(kit.Ghost, "close", "", f.clear).Small()
	f.wipe.Hidden = true
	ground := kit.NewField(f.Input)
	ground.Objects[1] = kit.Inset(kit.Margin{Top: 0, Right: 3, Bottom: 0, Left: 10}, kit.Horizontal(0, f.Input, kit.NewIcon("search", 15, kit.ColorFaint), f.Input, f.wipe))
	f.field = container.New(kit.Fixed{Min: fyne.NewSize(1, 36)}, ground)
	f.Input.OnTyped = f.typed
	f.Input.OnSubmit = func() { f.open(f.results.at) }
	f.Input.OnKey = f.key
	f.note = kit.NewText("", 12, 17, kit.ColorMuted)
	f.rack.Make = func(int) (fyne.CanvasObject, any) {
		r := newSearchHit()
		r.spot.OnTapped = func() { f.open(r.at) }
		return r.root, r
	}
	f.rack.Bind = func(row virtual.VarRow, o any) {
		o.(*searchHit).set(row.At, f.results.hits[row.At], view.Ago(f.results.hits[row.At].When, f.now()), row.At == f.results.at)
	}
	top := kit.Inset(kit.Margin{Top: 8, Right: 12, Bottom: 6, Left: 12}, f.note)
	f.page = container.New(&kit.Stacked{Head: top, Body: f.rack.Root, Foot: kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)}, top, f.rack.Root)
	f.page.Hide()
	return f
}

// typed starts a search when the user pauses.
func (f *searchField) typed() {
	query := strings.TrimSpace(f.Input.Text)
	f.stop()
	if query == "" {
		f.results.query, f.results.hits, f.results.at = "", nil, -1
		if f.On.Search != nil {
			f.On.Search("")
		}
		f.show(false)
		return
	}
	if f.results.query == query {
		return
	}
	if !f.page.Visible() {
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

func (f *searchField) stop() {
	if f.pause != nil {
		f.clock.Remove(f.pause)
		f.pause = nil
	}
}

func (f *searchField) show(on bool) {
	f.wipe.Hidden = !on
	f.field.Objects[0].(*fyne.Container).Refresh()
	if f.page.Hidden == on {
		f.page.Hidden = !on
		if f.On.Show != nil {
			f.On.Show(on)
		}
	}
}

// Found shows the results of a search, or its error.
func (f *searchField) Found(query string, hits []store.Hit, err error) {
	if query != strings.TrimSpace(f.Input.Text) {
		return // the field has changed
	}
	f.results.query, f.results.at = query, -1
	switch {
	case err != nil:
		f.results.query = "" // the same query can run again
		f.say(fmt.Sprintf("The search failed. %s", view.PlainSentence(err)), nil)
	case len(hits) == 0:
		f.say(fmt.Sprintf("Nothing found for “%s”. All your words must be in one message and its answer, or in a title.", format.Cut(query, 40)), nil)
	case len(hits) == maxFound:
		f.results.at = 0
		f.say(format.Plural(maxFound, "The newest %d place", "The newest %d places"), hits)
	default:
		f.results.at = 0
		f.say(format.Plural(len(hits), "Found in one place", "Found in %d places"), hits)
	}
}

func (f *searchField) say(note string, hits []store.Hit) {
	f.results.hits = hits
	f.note.SetText(note)
	rows := make([]virtual.VarRow, len(hits))
	for i := range rows {
		rows[i] = virtual.VarRow{Kind: searchHitRow, At: i, Height: heightOf(hits[i])}
	}
	f.rack.Show(rows)
	f.rack.GoTo(0)
	if s := f.page.Size(); s.Width > 0 {
		f.page.Layout.Layout(f.page.Objects, s)
	}
}

// key handles the keys that move the mark, and Escape.
func (f *searchField) key(e *fyne.KeyEvent) bool {
	to, n := f.results.at, len(f.results.hits)
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

func (f *searchField) mark(i int) {
	f.results.at = i
	f.rack.Arrange(true)
	f.rack.Reveal(i)
}

// clear empties the field and shows the list again.
func (f *searchField) clear() {
	f.Input.SetText("")
	kit.Focus(f.Input)
}

func (f *searchField) open(i int) {
	if i < 0 || i >= len(f.results.hits) {
		return
	}
	f.mark(i)
	if f.On.Open != nil {
		f.On.Open(f.results.hits[i], f.results.query)
	}
}
