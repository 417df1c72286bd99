package shell

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/view/format"
)

// An Entry is a question that waits for an answer. Its texts are short and safe to display.
type Entry struct {
	ID     any    // identifies the question
	Icon   string // the name of an icon in package assets
	Who    string // the tool or program that asks
	What   string // the first words of the question
	Where  string // the conversation; empty: the question belongs to none
	Since  time.Time
	Front  bool     // it is on the screen
	Count  *Counter // the counter on the question; nil: not drawn yet
	Choose func()   // brings the question to the front; what the user entered in another one stays there
}

// A Waitlist lists all questions of the window that wait for an answer, in the order of their
// arrival. It belongs to the UI goroutine.
type Waitlist struct {
	Sources  []func() []Entry // the queues of the window
	OnChange func()           // a queue changed, or the open list closed

	shell *Shell
	menu  *popup.Menu    // nil: closed
	shows func() []Entry // returns the entries of the open list
	tick  *kit.Ticker    // updates the waiting times in the list
}

// tickBeats is the time between two updates of the open list, in beats.
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

// IsOpen reports whether the list is open.
func (l *Waitlist) IsOpen() bool { return l.menu != nil }

// Open opens the list of the questions of a source at a button, if there are at least two. If
// source is nil, it lists all waiting questions.
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

// closed stops the updates of the list.
func (l *Waitlist) closed() {
	l.shell.Clock.Remove(l.tick)
	l.menu, l.tick, l.shows = nil, nil, nil
	l.shell.Post(func() { l.OnChange() }) // after the action of the chosen item
}

// Draw updates the open list and the counters on the questions to the current state of all
// queues.
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

// items returns the menu items of the list.
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
		items = append(items, popup.Item{ID: e.ID, Icon: e.Icon, Text: e.What, Detail: detail, Note: format.Ago(e.Since, l.shell.Now()), Checked: e.Front, Do: choose})
	}
	return items
}

// A Counter is the button of a question that shows its position among all waiting questions, for
// example "1 of 3", and opens their list. It is hidden while no other question waits.
type Counter struct {
	*kit.Button
	row *fyne.Container // contains the button; nil: no row does
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

// In records the row that contains the button, and returns the row.
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
