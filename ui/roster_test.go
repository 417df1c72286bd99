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
	d.chats.Chats = d.chats.Chats[:0]
	for i := n - 1; i >= 0; i-- {
		d.chats.Chats = append(d.chats.Chats, &chats.Conversation{
			Saved: chats.SavedState{ID: fmt.Sprint(i), Title: fmt.Sprintf("Conversation %d", i), Preview: "What was said last"}, Began: d.clock.Add(-time.Duration(i) * every),
		})
	}
	d.chats.Current = n - 1
	d.chats.Refresh()
}

// rowsOf are the rows of the sidebar that exist, from the top.
func (d *desk) rowsOf() (texts []string) {
	r := d.chats.Sidebar.List
	var at []int
	for i := range r.Bound {
		at = append(at, i)
	}
	slices.Sort(at)
	for _, i := range at {
		switch row := r.Bound[i].Row.(type) {
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
		d.chats.Chats[i].Began = d.clock.AddDate(0, 0, -ago).Add(-time.Hour)
		d.chats.Chats[i].Saved.Order = d.Window.chats.Later()
		d.chats.Chats[i].Saved.Title = fmt.Sprintf("%d days ago", ago)
	}
	d.chats.Chats[0].Saved.Pinned = false
	d.chats.Refresh()
	want := []string{"# Today", "0 days ago", "# Yesterday", "1 days ago", "# Previous 7 days", "3 days ago", "# September", "70 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	// A minute later it is the day after.
	d.clock = d.clock.Add(time.Minute)
	d.chats.Side.List()
	want = []string{"# Yesterday", "0 days ago", "# Previous 7 days", "1 days ago", "3 days ago", "# September", "70 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("after midnight %q", got)
	}
	// What is used comes to the top, what is pinned above that.
	d.chats.Chats[0].Began, d.chats.Chats[0].Saved.Order = d.clock, d.Window.chats.Later()
	d.chats.Chats[2].Saved.Pinned = true
	d.chats.Sort()
	d.chats.Refresh()
	want = []string{"# Pinned", "1 days ago", "# Today", "70 days ago", "# Yesterday", "0 days ago", "# Previous 7 days", "3 days ago"}
	if got := d.rowsOf(); !slices.Equal(got, want) {
		t.Fatalf("after it was used %q", got)
	}
	if d.chats.Conversation().Saved.Title != "0 days ago" {
		t.Errorf("another one is shown: %q", d.chats.Conversation().Saved.Title)
	}
}

// Of thousands only a screenful exists, wherever one scrolls, and each row does
// what it says.
func TestSidebarOfThousands(t *testing.T) {
	d := newDesk(t, Options{})
	d.many(3000, time.Hour)
	r := d.chats.Sidebar.List
	for _, y := range []float32{0, 40_000, 75_321, 1e9, 20} {
		r.Scroll.ScrollToOffset(fyne.NewPos(0, min(y, r.Tall()-r.Scroll.Size().Height)))
		r.Scroll.OnScrolled(r.Scroll.Offset)
		if n := len(r.Bound) + len(r.Spare[chats.RosterTab]) + len(r.Spare[chats.RosterDay]); n > 60 {
			t.Fatalf("%d rows exist", n)
		}
		first := r.Row(r.Scroll.Offset.Y + r.Scroll.Size().Height/2)
		if r.Rows[first].Kind == chats.RosterDay {
			first++
		}
		row := r.Bound[first].Row.(*chats.ConvRow)
		test.Tap(row.Spot)
		if d.frame.title.Text != row.Title.Text || d.chats.Conversation().Saved.Title != row.Title.Text {
			t.Fatalf("%q opened %q", row.Title.Text, d.chats.Conversation().Saved.Title)
		}
	}
	// The one that is shown by other means comes into sight.
	d.chats.Choose(0)
	if got := d.rowsOf(); !slices.Contains(got, "Conversation 2999") {
		t.Errorf("the one that is shown is out of sight: %q", got)
	}
}

// The preview is what was said last, without marks.
func TestSidebarShowsWhatWasSaidLast(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats.Chats[0].Chat = someChat()
	d.chats.Refresh()
	row := d.chats.Sidebar.List.Bound[1].Row.(*chats.ConvRow)
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
			d.chats.Side.List()
		}
	})
	b.Run("scroll", func(b *testing.B) {
		r := d.chats.Sidebar.List
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
			d.chats.Choose(i)
		}
	})
}

// A turn that ends in the background moves its conversation to the top of the
// sidebar. The sidebar does not scroll to the one that is shown.
func TestSidebarStaysWhenAnotherConversationMoves(t *testing.T) {
	d := newDesk(t, Options{})
	d.many(300, time.Hour)
	for i, c := range d.chats.Chats {
		c.Saved.Order = int64(i + 1)
	}
	d.chats.Choose(250)
	r := d.chats.Sidebar.List
	r.Scroll.ScrollToOffset(fyne.NewPos(0, 8000))
	r.Scroll.OnScrolled(r.Scroll.Offset)
	other, shown := d.chats.Chats[100], d.chats.Conversation()
	other.Began, other.Saved.Order = d.clock, d.Window.chats.Later()
	d.chats.Sort()
	d.chats.Refresh()
	if d.chats.Conversation() != shown || d.chats.Current != 249 {
		t.Fatalf("the other conversation did not move past the shown one, which is at %d", d.chats.Current)
	}
	if y := r.Scroll.Offset.Y; y != 8000 {
		t.Errorf("the sidebar jumped to %v", y)
	}
}
