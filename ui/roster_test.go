package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/kit"
	"goated/ui/view"
)

// many puts conversations into a window, the newest first: one every so often.
func (d *desk) many(n int, every time.Duration) {
	d.chats = d.chats[:0]
	for i := n - 1; i >= 0; i-- {
		d.chats = append(d.chats, &conversation{
			saved: savedState{id: fmt.Sprint(i), title: fmt.Sprintf("Conversation %d", i), preview: "What was said last"}, began: d.clock.Add(-time.Duration(i) * every),
		})
	}
	d.current = n - 1
	d.refresh()
}

// rowsOf are the rows of the sidebar that exist, from the top.
func (d *desk) rowsOf() (texts []string) {
	r := d.sidebar.roster
	var at []int
	for i := range r.Used {
		at = append(at, i)
	}
	slices.Sort(at)
	for _, i := range at {
		switch row := r.Used[i].Row.(type) {
		case *kit.Label:
			texts = append(texts, "# "+row.Text)
		case *tab:
			texts = append(texts, row.title.Text)
		}
	}
	return texts
}

func TestSidebarIsByDay(t *testing.T) {
	d := newDesk(t, Options{})
	d.clock = time.Date(2026, 11, 21, 23, 59, 30, 0, time.Local)
	d.many(4, 0)
	for i, ago := range []int{70, 3, 1, 0} { // days, from the bottom of the list
		d.chats[i].began = d.clock.AddDate(0, 0, -ago).Add(-time.Hour)
		d.chats[i].saved.order = d.Window.later()
		d.chats[i].saved.title = fmt.Sprintf("%d days ago", ago)
	}
	d.chats[0].saved.pinned = false
	d.refresh()
	want := []string{"# Today", "0 days ago", "# Yesterday", "1 days ago", "# Previous 7 days", "3 days ago", "# September", "70 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	// A minute later it is the day after.
	d.clock = d.clock.Add(time.Minute)
	d.side.list()
	want = []string{"# Yesterday", "0 days ago", "# Previous 7 days", "1 days ago", "3 days ago", "# September", "70 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("after midnight %q", got)
	}
	// What is used comes to the top, what is pinned above that.
	d.chats[0].began, d.chats[0].saved.order = d.clock, d.Window.later()
	d.chats[2].saved.pinned = true
	d.sort()
	d.refresh()
	want = []string{"# Pinned", "1 days ago", "# Today", "70 days ago", "# Yesterday", "0 days ago", "# Previous 7 days", "3 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("after it was used %q", got)
	}
	if d.conversation().saved.title != "0 days ago" {
		t.Errorf("another one is shown: %q", d.conversation().saved.title)
	}
}

// Of thousands only a screenful exists, wherever one scrolls, and each row does
// what it says.
func TestSidebarOfThousands(t *testing.T) {
	d := newDesk(t, Options{})
	d.many(3000, time.Hour)
	r := d.sidebar.roster
	for _, y := range []float32{0, 40_000, 75_321, 1e9, 20} {
		r.Scroll.ScrollToOffset(fyne.NewPos(0, min(y, r.Tall()-r.Scroll.Size().Height)))
		r.Scroll.OnScrolled(r.Scroll.Offset)
		if n := len(r.Used) + len(r.Spare[rosterTab]) + len(r.Spare[rosterDay]); n > 60 {
			t.Fatalf("%d rows exist", n)
		}
		first := r.Row(r.Scroll.Offset.Y + r.Scroll.Size().Height/2)
		if r.Rows[first].Kind == rosterDay {
			first++
		}
		row := r.Used[first].Row.(*tab)
		test.Tap(row.spot)
		if d.title.Text != row.title.Text || d.conversation().saved.title != row.title.Text {
			t.Fatalf("%q opened %q", row.title.Text, d.conversation().saved.title)
		}
	}
	// The one that is shown by other means comes into sight.
	d.choose(0)
	if got := d.rowsOf(); !slices.Contains(got, "Conversation 2999") {
		t.Errorf("the one that is shown is out of sight: %q", got)
	}
}

// The preview is what was said last, without marks.
func TestSidebarShowsWhatWasSaidLast(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats[0].chat = someChat()
	d.refresh()
	row := d.sidebar.roster.Used[1].Row.(*tab)
	if got := row.preview.Text; got == "" || bareLine(got) != got {
		t.Errorf("it is %q", got)
	}
	if got := view.LastSaid(view.Chat{}.Say("hello")); got != "hello" {
		t.Errorf("a message alone is %q", got)
	}
}

// What a change costs with thousands of conversations: with each update of an
// answer that streams, the sidebar is brought up to date.
func BenchmarkSidebar3000(b *testing.B) {
	d := newDesk(b, Options{})
	d.many(3000, 7*time.Hour)
	b.Run("update", func(b *testing.B) {
		for b.Loop() {
			d.side.list()
		}
	})
	b.Run("scroll", func(b *testing.B) {
		r := d.sidebar.roster
		y := float32(0)
		for b.Loop() {
			y += 60
			if y > r.Tall()-r.Scroll.Size().Height {
				y = 0
			}
			r.Scroll.Offset.Y = y
			r.Arrange(false)
		}
	})
	b.Run("choose", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 17) % 3000
			d.choose(i)
		}
	})
}
