package shell

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/view"
)

// An Entry is a question that waits for the user. Its texts are safe and short.
type Entry struct {
	ID     any    // the question, to know it again
	Icon   string // of package assets
	Who    string // the tool or the program that asks
	What   string // the first words of the question
	Where  string // the conversation; empty: the question belongs to none
	Since  time.Time
	Front  bool     // it is on the screen
	Count  *Counter // on the question; nil: it is not drawn yet
	Choose func()   // brings it to the front; what the user entered in another one stays there
}

// A Waitlist lists the questions of the whole window that wait for the user, in the order
// of their arrival. It belongs to the UI goroutine.
type Waitlist struct {
	Sources  []func() []Entry // the queues of the window
	OnChange func()           // a queue has changed, or the open list has closed

	shell *Shell
	menu  *popup.Menu    // nil: closed
	shows func() []Entry // what the open list has
	tick  *kit.Ticker    // the list says how long the questions wait
}

// tickBeats is the time between two drawings of the open list, in beats.
const tickBeats = 50

// NewWaitlist returns the list of a window.
func NewWaitlist(s *Shell) *Waitlist { return &Waitlist{shell: s, OnChange: func() {}} }

// Entries returns the questions that wait.
func (l *Waitlist) Entries() (all []Entry) {
	for _, source := range l.Sources {
		all = append(all, source()...)
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Since.Compare(b.Since) })
	return all
}

// IsOpen reports whether the user looks at the list.
func (l *Waitlist) IsOpen() bool { return l.menu != nil }

// Open shows the questions of a source at a button, while they are more than one; nil: all
// that wait.
func (l *Waitlist) Open(button *kit.Button, source func() []Entry) {
	if source == nil {
		source = l.Entries
	}
	items := l.items(source())
	if l.IsOpen() || len(items) < 2 {
		return
	}
	l.shell.Tips.Hide()
	l.shows = source
	l.menu = popup.Open(l.shell.Sheets.Window.Canvas(), button, l.closed, items...)
	l.tick = l.shell.Clock.Add(tickBeats, l.Draw)
}

// closed ends the updates of the list.
func (l *Waitlist) closed() {
	l.shell.Clock.Remove(l.tick)
	l.menu, l.tick, l.shows = nil, nil, nil
	l.shell.Post(func() { l.OnChange() }) // after what the user chose
}

// Draw shows the present state of all queues: in the open list, and on the questions.
func (l *Waitlist) Draw() {
	all := l.Entries()
	for i, e := range all {
		if e.Count != nil {
			e.Count.set(i+1, len(all))
		}
	}
	if !l.IsOpen() {
		return
	}
	entries := l.shows()
	if len(entries) < 2 {
		l.menu.Hide()
		return
	}
	l.menu.Set(l.items(entries)...)
	l.menu.Raise()
}

// items returns the lines of the list.
func (l *Waitlist) items(all []Entry) (items []popup.Item) {
	for _, e := range all {
		detail := e.Who
		if e.Where != "" {
			detail += " · " + e.Where
		}
		choose := e.Choose
		if e.Front {
			choose = nil
		}
		items = append(items, popup.Item{ID: e.ID, Icon: e.Icon, Text: e.What, Detail: detail, Note: view.Ago(e.Since, l.shell.Now()), Checked: e.Front, Do: choose})
	}
	return items
}

// A Counter is the button of a question that says its place among all that wait, such as
// "1 of 3", and opens their list. It is hidden while no other question waits.
type Counter struct {
	*kit.Button
	row *fyne.Container // has the button; nil: nothing has
}

// NewCounter returns a counter for a question that is not drawn yet.
func (s *Shell) NewCounter() *Counter {
	c := &Counter{Button: kit.NewButton(kit.Pill, "chevron-down", "", nil).Trailing()}
	c.OnTapped = func() { s.Waiting.Open(c.Button, nil) }
	if s.Tips != nil {
		s.Tips.Name(c.Button, "Show all questions that wait", kit.Shortcut{})
	}
	c.Hide()
	return c
}

// In notes the row that has the button, and returns it.
func (c *Counter) In(row *fyne.Container) *fyne.Container {
	c.row = row
	return row
}

func (c *Counter) set(at, of int) {
	text := fmt.Sprintf("%d of %d", at, of)
	if c.Hidden == (of < 2) && c.Text == text {
		return
	}
	c.Hidden = of < 2
	c.SetText(text)
	if c.row != nil {
		c.row.Refresh()
	}
}
