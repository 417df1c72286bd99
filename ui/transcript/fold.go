package transcript

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/textview"
	"goated/ui/view"
	md "goated/ui/view/markdown"
)

// A fold is the text of a message of the user. A long text is shortened to its beginning, with a
// button that shows the rest. The transcript remembers which texts are open, because a queued
// message moves to another row.
type fold struct {
	t    *Transcript
	row  int
	full string
	text *textview.View
	more *kit.Button
	foot *fyne.Container // contains the button and its margin; hidden below a short text
	root *fyne.Container
}

func newFold(t *Transcript, row int, text string) *fold {
	f := &fold{t: t, row: row, text: t.newTextView(row, 0, md.Block{}, markdown.Body(kit.ColorText))}
	f.more = kit.NewButton(kit.Ghost, "chevron-down", "Show more", f.toggle).Small()
	f.foot = kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, nil, f.more))
	f.root = kit.Vertical(0, f.text, f.foot)
	f.put(text)
	return f
}

// put sets the text.
func (f *fold) put(text string) {
	f.full = text
	shown, long := view.Fold(text)
	icon, label := "chevron-down", "Show more"
	if f.t.View.user.unfolded[f.full] {
		shown, icon, label = text, "chevron-up", "Show less"
	}
	f.more.SetIcon(icon)
	f.more.SetText(label)
	f.foot.Hidden = !long
	f.text.Put(md.Plain(shown), md.Growth{})
}

// isLong reports whether the text is long enough to have the button.
func (f *fold) isLong() bool { return f.foot.Visible() }

// toggle switches between the whole text and its beginning.
func (f *fold) toggle() {
	if !f.isLong() {
		return
	}
	v := &f.t.View
	if v.user.unfolded == nil {
		v.user.unfolded = make(map[string]bool)
	}
	open := !v.user.unfolded[f.full]
	v.user.unfolded[f.full] = open
	f.put(f.full)
	v.Stick = false
	v.refit()
	if top := v.Heights.Before(f.row); !open && v.Scroll.Scroll.Offset.Y > top+v.headroom() {
		v.GoTo(top) // the button that was pressed is far above now
	}
}

// reveal opens the text if the character at is not visible.
func (f *fold) reveal(at int) {
	if at >= utf8.RuneCountInString(f.text.String()) {
		f.toggle()
	}
}

// below returns the height below the text.
func (f *fold) below() float32 {
	if !f.isLong() {
		return 0
	}
	return f.foot.MinSize().Height
}

// width returns the width of the text and the button, at most limit.
func (f *fold) width(limit float32) float32 {
	if f.isLong() {
		return min(max(f.text.Natural(limit), f.more.MinSize().Width), limit)
	}
	return f.text.Natural(limit)
}
