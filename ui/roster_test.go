package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/view"
)

// many puts conversations into a window, the newest first: one every so often.
func (d *desk) many(n int, every time.Duration) {
	d.Chats = d.Chats[:0]
	for i := n - 1; i >= 0; i-- {
		d.Chats = append(d.Chats, &chats.Conversation{
			Saved: chats.SavedState{ID: fmt.Sprint(i), Title: fmt.Sprintf("Conversation %d", i), Preview: "What was said last"}, Began: d.clock.Add(-time.Duration(i) * every),
		})
	}
	d.Current = n - 1
	d.Refresh()
}

// rowsOf are the rows of the sidebar that exist, from the top.
func (d *desk) rowsOf() (texts []string) {
	r := d.Sidebar.List
	var at []int
	for i := range r.Used {
		at = append(at, i)
	}
	slices.Sort(at)
	for _, i := range at {
		switch row := r.Used[i].Row.(type) {
		case *kit.Label:
			texts = append(texts, "# "+row.Text)
		case *chats.ConvRow:
			texts = append(texts, row.Title.Text)
		}
	}
	return texts
}

func TestSidebarIsByDay(t *testing.T) {
	d := newDesk(t, Options{})
	d.clock = time.Date(2026, 11, 21, 23, 59, 30, 0, time.Local)
	d.many(4, 0)
	for i, ago := range []int{70, 3, 1, 0} { // days, from the bottom of the list
		d.Chats[i].Began = d.clock.AddDate(0, 0, -ago).Add(-time.Hour)
		d.Chats[i].Saved.Order = d.Window.Later()
		d.Chats[i].Saved.Title = fmt.Sprintf("%d days ago", ago)
	}
	d.Chats[0].Saved.Pinned = false
	d.Refresh()
	want := []string{"# Today", "0 days ago", "# Yesterday", "1 days ago", "# Previous 7 days", "3 days ago", "# September", "70 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	// A minute later it is the day after.
	d.clock = d.clock.Add(time.Minute)
	d.Side.List()
	want = []string{"# Yesterday", "0 days ago", "# Previous 7 days", "1 days ago", "3 days ago", "# September", "70 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("after midnight %q", got)
	}
	// What is used comes to the top, what is pinned above that.
	d.Chats[0].Began, d.Chats[0].Saved.Order = d.clock, d.Window.Later()
	d.Chats[2].Saved.Pinned = true
	d.Sort()
	d.Refresh()
	want = []string{"# Pinned", "1 days ago", "# Today", "70 days ago", "# Yesterday", "0 days ago", "# Previous 7 days", "3 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("after it was used %q", got)
	}
	if d.Conversation().Saved.Title != "0 days ago" {
		t.Errorf("another one is shown: %q", d.Conversation().Saved.Title)
	}
}

// Of thousands only a screenful exists, wherever one scrolls, and each row does
// what it says.
func TestSidebarOfThousands(t *testing.T) {
	d := newDesk(t, Options{})
	d.many(3000, time.Hour)
	r := d.Sidebar.List
	for _, y := range []float32{0, 40_000, 75_321, 1e9, 20} {
		r.Scroll.ScrollToOffset(fyne.NewPos(0, min(y, r.Tall()-r.Scroll.Size().Height)))
		r.Scroll.OnScrolled(r.Scroll.Offset)
		if n := len(r.Used) + len(r.Spare[chats.RosterTab]) + len(r.Spare[chats.RosterDay]); n > 60 {
			t.Fatalf("%d rows exist", n)
		}
		first := r.Row(r.Scroll.Offset.Y + r.Scroll.Size().Height/2)
		if r.Rows[first].Kind == chats.RosterDay {
			first++
		}
		row := r.Used[first].Row.(*chats.ConvRow)
		test.Tap(row.Spot)
		if d.title.Text != row.Title.Text || d.Conversation().Saved.Title != row.Title.Text {
			t.Fatalf("%q opened %q", row.Title.Text, d.Conversation().Saved.Title)
		}
	}
	// The one that is shown by other means comes into sight.
	d.Choose(0)
	if got := d.rowsOf(); !slices.Contains(got, "Conversation 2999") {
		t.Errorf("the one that is shown is out of sight: %q", got)
	}
}

// The preview is what was said last, without marks.
func TestSidebarShowsWhatWasSaidLast(t *testing.T) {
	d := newDesk(t, Options{})
	d.Chats[0].Chat = someChat()
	d.Refresh()
	row := d.Sidebar.List.Used[1].Row.(*chats.ConvRow)
	if got := row.Preview.Text; got == "" || chats.BareLine(got) != got {
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
			d.Side.List()
		}
	})
	b.Run("scroll", func(b *testing.B) {
		r := d.Sidebar.List
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
			d.Choose(i)
		}
	})
}
