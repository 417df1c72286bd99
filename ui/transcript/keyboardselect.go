package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
	"goated/ui/view"
)

// A keyboardSelect is the message that is chosen by keys, which has a ring around it
// and its buttons in sight.
type keyboardSelect struct {
	Chosen int // its index plus 1; 0: none is
	Ring   *kit.Panel
}

// Choose chooses the message that is by further on; from none, the last one that
// is in sight. It takes the focus, for the keys that act on it.
func (t *Transcript) Choose(by int) {
	if len(t.Items) == 0 {
		return
	}
	at := t.Chosen - 1 + by
	if t.Chosen == 0 {
		at = min(t.Made[1], len(t.Items)) - 1
	}
	t.pick(max(min(at, len(t.Items)-1), 0))
}

// pick chooses the message at an index, and brings it into sight.
func (t *Transcript) pick(i int) {
	t.Chosen = i + 1
	if c := fyne.CurrentApp().Driver().CanvasForObject(t.events); c != nil {
		t.events.held = true
		c.Focus(t.events)
	}
	t.Chosen = i + 1 // also where the focus has just come from another place
	top, s := t.Heights.Before(i)+t.Headroom(), t.Scroll.Scroll
	high := t.Heights.Each[i]
	switch {
	case top < s.Offset.Y+rowGap || high > s.Size().Height-2*rowGap:
		t.GoTo(top - rowGap)
	case top+high > s.Offset.Y+s.Size().Height:
		t.GoTo(top + high - s.Size().Height + rowGap)
	}
	t.Arrange()
	t.repaint()
}

// leave chooses nothing any more.
func (t *Transcript) leave() {
	if t.Chosen > 0 {
		t.Chosen = 0
		t.Arrange()
		t.repaint()
	}
}

// typed does what a key does with the message that is chosen, and reports whether
// it does anything.
func (t *Transcript) typed(key fyne.KeyName) bool {
	i := t.Chosen - 1
	if i < 0 || i >= len(t.Items) {
		return false
	}
	switch key {
	case fyne.KeyUp:
		t.Choose(-1)
	case fyne.KeyDown:
		t.Choose(1)
	case fyne.KeyHome:
		t.pick(0)
	case fyne.KeyEnd:
		t.pick(len(t.Items) - 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		t.unfold(i)
	case fyne.KeyLeft:
		return t.turn(i, -1)
	case fyne.KeyRight:
		return t.turn(i, 1)
	case fyne.KeyTab:
		t.enter(i)
	case desktop.KeyMenu, fyne.KeyF10:
		t.menuOf(i)
	default:
		return t.act(i, key)
	}
	return true
}

// act does with a message what one of its buttons does.
func (t *Transcript) act(i int, key fyne.KeyName) bool {
	_, own := t.Items[i].(view.User)
	_, answer := t.Items[i].(view.Answer)
	_, failure := t.Items[i].(view.Failure)
	var done func(int)
	switch {
	case key == fyne.KeyC:
		done = t.copySource
	case key == fyne.KeyE && own:
		done = t.OnEdit
	case key == fyne.KeyR && answer:
		done = t.OnRegenerate
	case key == fyne.KeyR && failure && t.OnRetry != nil:
		done = func(int) { t.OnRetry() }
	case key == fyne.KeyDelete && (own || answer):
		done = t.OnDelete
	}
	if done == nil {
		return false
	}
	done(i)
	return true
}

// turn goes to another version of a message, where there is one.
func (t *Transcript) turn(i, by int) bool {
	if t.Versions == nil || t.OnVersion == nil {
		return false
	}
	at, of := t.Versions(i)
	if of < 2 || at+by < 0 || at+by >= of {
		return false
	}
	t.OnVersion(i, by)
	return true
}

// unfold opens or closes a card, or a thought.
func (t *Transcript) unfold(i int) {
	switch b := t.Make(i).(type) {
	case *Card:
		b.Toggle()
	case *thought:
		b.toggle()
	}
	t.pick(i)
}

// enter moves the focus to the first button of a message.
func (t *Transcript) enter(i int) {
	c := fyne.CurrentApp().Driver().CanvasForObject(t.events)
	if c == nil || t.Rows[i].Block == nil {
		return
	}
	if f := firstFocus(t.Rows[i].Block.Object()); f != nil {
		c.Focus(f)
		return
	}
	t.events.held = false
	c.FocusNext()
}

// firstFocus is what Tab would come to first within o.
func firstFocus(o fyne.CanvasObject) fyne.Focusable {
	if !o.Visible() {
		return nil
	}
	if box, ok := o.(*fyne.Container); ok {
		for _, child := range box.Objects {
			if f := firstFocus(child); f != nil {
				return f
			}
		}
		return nil
	}
	if d, ok := o.(fyne.Disableable); ok && d.Disabled() {
		return nil
	}
	f, _ := o.(fyne.Focusable)
	return f
}

// menuOf shows the menu of a message, at its left upper corner.
func (t *Transcript) menuOf(i int) {
	if b := t.Rows[i].Block; b != nil {
		t.menu(fyne.CurrentApp().Driver().AbsolutePositionForObject(b.Object()).AddXY(16, 16))
	}
}

// encircle puts the ring around the message that is chosen.
func (t *Transcript) encircle(i int, x, y, h float32) {
	if i == t.Chosen-1 {
		t.Ring.Show()
		kit.Place(t.Ring, x-10, y-8, t.width+20, h+14)
	}
}
