package modelmenu

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/modelname"
	"goated/ui/kit"
	"goated/ui/view"
)

// A WaitBar counts down to the next attempt of a request, or to the end of the wait for servers.
// It is above the composer.
type WaitBar struct {
	Root          *fyne.Container
	other         *kit.Button // lets another model answer
	reason, count *kit.Label
	bar           *progress
}

// NewWaitBar returns the bar, which is initially hidden.
func NewWaitBar(other, stop func()) *WaitBar {
	b := &WaitBar{reason: kit.NewLabel("", 13, kit.ColorText).Strong().Elided(), count: kit.NewLabel("", 13, kit.ColorMuted), bar: &progress{}}
	b.other = kit.NewButton(kit.Outline, "", "Use another model", other).Small()
	end := kit.NewButton(kit.Ghost, "", "Stop", stop).Small().Keyed("Esc")
	words := container.New(&sentence{}, b.reason, b.count)
	line := container.New(kit.Row{Gap: 8, Flex: words}, kit.NewIcon("clock", 15, kit.ColorWarn), words, b.other, end)
	track := kit.NewPanel(kit.ColorSunken, kit.ColorNone, 2)
	fill := kit.NewPanel(kit.ColorWarn, kit.ColorNone, 2)
	b.Root = kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 8, Right: 12, Bottom: 12, Left: 14},
		kit.Vertical(7, line, kit.Sized(1, 4, container.New(b.bar, track, fill))))
	b.Root.Hide()
	return b
}

// Show shows a wait, or hides the bar if nothing waits. It reports whether the bar appeared or
// disappeared.
func (b *WaitBar) Show(w view.Wait, ref config.ModelRef) bool {
	hidden := w.Attempt == 0 && w.Servers == ""
	changed := b.Root.Hidden != hidden
	b.Root.Hidden, b.other.Hidden = hidden, w.Servers != ""
	if hidden {
		return changed
	}
	reason, count := w.Reason, w.Text()
	if w.Servers != "" { // the last seconds before the turn continues without them
		reason, count = w.Servers, fmt.Sprintf("at most %d s", int((w.Left+time.Second-1)/time.Second))
	}
	if w.Kind == agent.RateLimited {
		reason = modelname.Title(ref) + " takes no more requests this minute."
	}
	b.reason.Set(reason)
	b.count.Set(count)
	b.bar.share = 1
	if w.Total > 0 {
		b.bar.share = 1 - float32(w.Left)/float32(w.Total)
	}
	b.Root.Refresh()
	return changed
}

// progress lays out a bar: the second object covers a fraction of the first.
type progress struct{ share float32 }

func (l *progress) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], 0, 0, size.Width, size.Height)
	kit.Place(objects[1], 0, 0, max(size.Width*min(max(l.share, 0), 1), size.Height), size.Height)
}

func (*progress) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 4) }

// sentence lays out a reason, followed by a count. The reason is truncated if necessary.
type sentence struct{}

func (sentence) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	reason, count := objects[0].(*kit.Label), objects[1].(*kit.Label)
	after := count.MinSize()
	w := min(reason.Measure(reason.Text).Width+1, max(size.Width-after.Width-6, 0))
	y := float32(int((size.Height - after.Height) / 2))
	kit.Place(reason, 0, y, w, after.Height)
	kit.Place(count, w+6, y, max(size.Width-w-6, 0), after.Height)
}

func (sentence) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[1].MinSize().Width+40, objects[1].MinSize().Height)
}
