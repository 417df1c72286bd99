package chats

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/internal/pagetest"
)

// thousands returns a list of 3000 conversations in a window.
func thousands(t testing.TB) (*convList, func(selected int)) {
	t.Helper()
	d := pagetest.New(t, false, fyne.NewSize(SidebarWidth, 700))
	r := newConvList(d.Shell.Clock)
	r.of = func(i int) convHeading { return convHeading{title: fmt.Sprintf("Conversation %d", i)} }
	all := make([]*Conversation, 3000)
	for i := range all {
		all[i] = &Conversation{}
	}
	d.Window.SetContent(r.Root)
	d.Window.Resize(fyne.NewSize(SidebarWidth, 700))
	return r, func(selected int) {
		r.list(len(all), func(i int) string { return fmt.Sprintf("Day %d", i/10) }, selected, all[selected])
	}
}

// In a list of thousands of conversations only a screenful of rows exists, no matter where the
// user scrolls.
func TestListOfThousandsHasAScreenfulOfRows(t *testing.T) {
	r, list := thousands(t)
	list(2999)
	var opened int
	r.OnSelect = func(i int) { opened = i }
	for _, y := range []float32{0, 40_000, 75_321, 1e9, 20} {
		r.Scroll.ScrollToOffset(fyne.NewPos(0, min(y, r.Tall()-r.Scroll.Size().Height)))
		r.Scroll.OnScrolled(r.Scroll.Offset)
		if n := len(r.Bound) + len(r.Spare[rowOfConversation]) + len(r.Spare[rowOfDay]); n > 60 {
			t.Fatalf("%d rows exist", n)
		}
		middle := r.Row(r.Scroll.Offset.Y + r.Scroll.Size().Height/2)
		if r.Rows[middle].Kind == rowOfDay {
			middle++
		}
		row := r.Bound[middle].Row.(*convRow)
		row.spot.Tapped(nil)
		if want := fmt.Sprintf("Conversation %d", opened); row.title.Text != want {
			t.Fatalf("%q opened %q", row.title.Text, want)
		}
	}
}

// BenchmarkConvList measures a list of 3000 conversations. While an answer streams, each of its
// parts updates the list.
func BenchmarkConvList(b *testing.B) {
	r, list := thousands(b)
	b.Run("update", func(b *testing.B) {
		list(2999)
		for b.Loop() {
			r.Arrange(true)
		}
	})
	b.Run("scroll", func(b *testing.B) {
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
			list(i)
		}
	})
}
