package searchfield

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/store"
	"goated/ui/highlight"
	"goated/ui/kit"
	"goated/ui/view"
)

// A hit is one result of a search: the conversation, its time, and two lines of text around the
// match.
type hit struct {
	root  *fyne.Container
	spot  *kit.Tappable
	title *highlight.Highlight
	when  *kit.Label
	lines [2]*highlight.Highlight

	at    int
	shown store.Hit
	width float32 // the width for which the lines are valid
}

// foundBefore is how many characters of a snippet precede the match, so that the match is
// visible.
const foundBefore = 16

func newHit() *hit {
	f := &hit{spot: kit.NewTappable(9, nil), title: highlight.New(13), when: kit.NewLabel("", 11, kit.ColorFaint), at: -1}
	f.spot.SkipTab = true
	words := kit.Vertical(1, container.New(kit.Fixed{Min: fyne.NewSize(1, 18)}, kit.Horizontal(6, f.title, f.title, f.when)))
	for i := range f.lines {
		f.lines[i] = highlight.New(11)
		f.lines[i].Color = kit.ColorMuted
		words.Add(container.New(kit.Fixed{Min: fyne.NewSize(1, 15)}, f.lines[i]))
	}
	f.root = kit.Inset(kit.Margin{Top: 1, Right: 0, Bottom: 1, Left: 0}, container.New(foundLayout{f}, f.spot, kit.Inset(kit.Margin{Top: 7, Right: 10, Bottom: 7, Left: 12}, words)))
	return f
}

func (f *hit) set(at int, h store.Hit, when string, marked bool) {
	f.at, f.shown = at, h
	f.when.Set(when)
	title := h.Title
	if title == "" {
		title = "New chat"
	}
	if h.Turn == "" {
		f.title.Set(title, characters(h.Snippet, h.Matches))
		f.shown.Snippet, f.shown.Matches = "In the title", nil
	} else {
		f.title.Set(title, nil)
		f.shown = plainly(h)
	}
	f.width = 0
	if marked {
		f.spot.SetColors(kit.ColorSelected, kit.ColorNone)
	} else {
		f.spot.SetColors(kit.ColorNone, kit.ColorNone)
	}
	if s := f.root.Size(); s.Width > 0 {
		f.root.Layout.Layout(f.root.Objects, s)
	}
}

// heightOf returns the height of the row for a hit at a width.
func heightOf(h store.Hit, width float32) float32 {
	if h.Turn == "" || fyne.MeasureText(plainly(h).Snippet, 11, fyne.TextStyle{Bold: true}).Width <= width-24-22 {
		return hitHeight - snippetLine
	}
	return hitHeight
}

// plainly returns a hit without Markdown marks in its snippet, unless the match itself is a mark.
func plainly(h store.Hit) store.Hit {
	text := view.PlainBeginning(h.Snippet)
	var found [][2]int
	for _, m := range h.Matches {
		for _, at := range view.Find(text, strings.ToLower(h.Snippet[m[0]:m[1]])) {
			found = append(found, [2]int{at.Start, at.End})
		}
	}
	if len(found) == 0 {
		return h
	}
	slices.SortFunc(found, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	h.Snippet, h.Matches = text, slices.Compact(found)
	return h
}

// characters returns the indexes of the matched characters.
func characters(text string, matches [][2]int) []int {
	var lit []int
	for _, m := range matches {
		first := utf8.RuneCountInString(text[:m[0]])
		for i := range utf8.RuneCountInString(text[m[0]:m[1]]) {
			lit = append(lit, first+i)
		}
	}
	return lit
}

// fill breaks the snippet into lines for a width, at spaces if possible.
func (f *hit) fill(width float32) {
	if f.width == width {
		return
	}
	f.width = width
	text := []rune(f.shown.Snippet)
	lit := characters(f.shown.Snippet, f.shown.Matches)
	from := 0
	if len(lit) > 0 && lit[0] > foundBefore {
		from = lit[0] - foundBefore
		for i := from; i < lit[0]; i++ { // not within a word
			if text[i] == ' ' {
				from = i + 1
				break
			}
		}
		text[from-1] = '…'
		from--
	}
	for i, l := range f.lines {
		to := len(text)
		if i == 0 {
			to = f.fits(text, from, width)
		}
		var own []int
		for _, at := range lit {
			if at >= from && at < to {
				own = append(own, at-from)
			}
		}
		l.Set(string(text[from:to]), own)
		for from = to; from < len(text) && text[from] == ' '; from++ {
		}
	}
}

// fits returns the end of the line that begins at from.
func (f *hit) fits(text []rune, from int, width float32) int {
	style := fyne.TextStyle{Bold: true} // matches are bold and therefore wider
	lo, hi := from, min(len(text), from+200)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if fyne.MeasureText(string(text[from:mid]), f.lines[0].TextSize, style).Width <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == len(text) {
		return lo
	}
	for i := lo; i > from+(lo-from)/2; i-- {
		if text[i] == ' ' {
			return i
		}
	}
	return lo
}

// foundLayout breaks the lines for the current width.
type foundLayout struct{ f *hit }

func (l foundLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.f.fill(size.Width - 22)
	kit.Margin{}.Layout(objects, size)
}

func (l foundLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, hitHeight-2) }
