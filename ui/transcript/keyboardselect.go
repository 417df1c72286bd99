package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
	"goated/ui/view"
)

// A keyboardSelect holds the message that the user chose with the keyboard. The message has a
// ring and shows its buttons.
type keyboardSelect struct {
	t      *Transcript
	Chosen int  // the index of the message plus 1; 0: none
	line   bool // the line of the group that the message leads is chosen instead
	Ring   *kit.Panel
}

func newKeyboardSelect(t *Transcript) keyboardSelect {
	k := keyboardSelect{t: t, Ring: kit.NewPanel(kit.ColorNone, kit.ColorAccent, 14)}
	k.Ring.Bold = true
	k.Ring.Hide()
	return k
}

// Choose moves the choice by a number of messages. It starts at the last visible message, and
// focuses the transcript.
func (k *keyboardSelect) Choose(by int) {
	if len(k.t.View.Items) == 0 {
		return
	}
	at, line := min(k.Chosen, len(k.t.View.Items))-1, false
	switch {
	case k.Chosen == 0:
		at = max(min(k.t.View.Made[1], len(k.t.View.Items))-1, 0)
	case by > 0:
		at, line = k.after(at)
	default:
		at, line = k.before(at)
	}
	k.pick(at, line)
}

// after returns the item below a message. The line of a group comes before its first call.
func (k *keyboardSelect) after(i int) (at int, line bool) {
	v := &k.t.View
	switch next := v.Rows[i].lastItem(i) + 1; {
	case k.isLineChosen(i) && !v.Rows[i].isHidden():
		return i, false
	case next < len(v.Items):
		return next, v.Rows[next].isGroupHead(next)
	}
	return i, k.line
}

// before returns the item above a message.
func (k *keyboardSelect) before(i int) (at int, line bool) {
	switch v := &k.t.View; {
	case v.Rows[i].isGroupHead(i) && !k.line:
		return i, true
	case i > 0 && v.Rows[i-1].isHidden():
		return v.Rows[i-1].group.from, true
	case i > 0:
		return i - 1, false
	}
	return i, k.line
}

// isLineChosen reports whether the line of the group that message i leads is chosen.
func (k *keyboardSelect) isLineChosen(i int) bool { return k.line && k.t.View.Rows[i].isGroupHead(i) }

// moveToGroupLine moves the choice from message i to the line of the group that now covers it. lead is the
// first row of the group.
func (k *keyboardSelect) moveToGroupLine(i, lead int) {
	if k.Chosen == i+1 {
		k.Chosen, k.line = lead+1, true
	}
}

// pick chooses message i, or the line of the group that it leads, and scrolls to it.
func (k *keyboardSelect) pick(i int, line bool) {
	v := &k.t.View
	if v.Rows[i].isHidden() {
		i, line = v.Rows[i].group.from, true
	}
	k.t.Selection.events.held = true
	kit.Focus(k.t.Selection.events)
	k.Chosen, k.line = i+1, line // after the change of focus, which may reset them
	top, s := v.Heights.Before(i)+v.headroom(), v.Scroll.Scroll
	high := v.Heights.Each[i]
	switch _, down := v.Rows[i].inset(i); {
	case line:
		high = headHeight + rowGap
	default:
		top, high = top+down, high-down
	}
	switch {
	case top < s.Offset.Y+rowGap || high > s.Size().Height-2*rowGap:
		k.t.View.GoTo(top - rowGap)
	case top+high > s.Offset.Y+s.Size().Height:
		k.t.View.GoTo(top + high - s.Size().Height + rowGap)
	}
	k.t.View.Arrange()
	k.t.View.repaint()
}

// clear clears the choice.
func (k *keyboardSelect) clear() {
	if k.Chosen > 0 {
		k.Chosen, k.line = 0, false
		k.t.View.Arrange()
		k.t.View.repaint()
	}
}

// typed runs the action for a key on the chosen message. It reports whether the key has one.
func (k *keyboardSelect) typed(key fyne.KeyName) bool {
	i := k.Chosen - 1
	if i < 0 || i >= len(k.t.View.Items) {
		return false
	}
	switch key {
	case fyne.KeyUp:
		k.Choose(-1)
	case fyne.KeyDown:
		k.Choose(1)
	case fyne.KeyHome:
		k.pick(0, k.t.View.Rows[0].isGroupHead(0))
	case fyne.KeyEnd:
		k.pick(len(k.t.View.Items)-1, false)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		k.unfold(i)
	case fyne.KeyLeft:
		return k.showVersion(i, -1)
	case fyne.KeyRight:
		return k.showVersion(i, 1)
	case fyne.KeyTab:
		k.enter(i)
	case desktop.KeyMenu, fyne.KeyF10:
		k.menuOf(i)
	default:
		return k.act(i, key)
	}
	return true
}

// act runs the action of the message button that belongs to a key.
func (k *keyboardSelect) act(i int, key fyne.KeyName) bool {
	_, own := k.t.View.Items[i].(view.User)
	_, answer := k.t.View.Items[i].(view.Answer)
	_, failure := k.t.View.Items[i].(view.Failure)
	var done func(int)
	switch {
	case key == fyne.KeyC && k.isLineChosen(i):
		done = func(int) { k.t.View.Rows[i].group.copy() }
	case key == fyne.KeyC:
		done = k.t.copySource
	case key == fyne.KeyE && own:
		done = k.t.On.Edit
	case key == fyne.KeyR && answer:
		done = k.t.On.Regenerate
	case key == fyne.KeyR && failure && k.t.On.Retry != nil:
		done = func(int) { k.t.On.Retry() }
	case key == fyne.KeyDelete && (own || answer):
		done = k.t.On.Delete
	}
	if done == nil {
		return false
	}
	done(i)
	return true
}

// showVersion shows another version of a message. It reports whether there is one.
func (k *keyboardSelect) showVersion(i, by int) bool {
	if k.t.On.Versions == nil || k.t.On.Version == nil {
		return false
	}
	at, of := k.t.On.Versions(i)
	if of < 2 || at+by < 0 || at+by >= of {
		return false
	}
	k.t.On.Version(i, by)
	return true
}

// unfold opens or closes a group, a card, a thought, a summary or a long message.
func (k *keyboardSelect) unfold(i int) {
	if k.isLineChosen(i) {
		k.t.View.Rows[i].group.toggle()
		k.pick(i, true)
		return
	}
	switch b := k.t.View.Make(i).(type) {
	case *Card:
		b.Toggle()
	case *thought:
		b.toggle()
	case *summary:
		b.toggle()
	case *Bubble:
		b.fold.toggle()
	case *queued:
		b.fold.toggle()
	}
	k.pick(i, false)
}

// enter focuses the first button of a message.
func (k *keyboardSelect) enter(i int) {
	c, o := kit.CanvasOf(k.t.Selection.events), k.object(i)
	if c == nil || o == nil {
		return
	}
	if f := firstFocus(o); f != nil {
		c.Focus(f)
		return
	}
	k.t.Selection.events.held = false
	c.FocusNext()
}

// firstFocus returns the first object within o that Tab can focus.
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

// menuOf shows the menu of a message at its top left corner.
func (k *keyboardSelect) menuOf(i int) {
	o := k.object(i)
	switch {
	case o == nil:
	case k.isLineChosen(i):
		k.t.View.Rows[i].group.shownLine().menu(kit.PositionOf(o).AddXY(16, 16))
	default:
		k.t.Selection.menu(kit.PositionOf(o).AddXY(16, 16), "")
	}
}

// object returns the object of the chosen message or line, or nil while it does not exist.
func (k *keyboardSelect) object(i int) fyne.CanvasObject {
	if k.isLineChosen(i) {
		return k.t.View.Rows[i].group.shownLine().root
	}
	if b := k.t.View.Rows[i].Block; b != nil {
		return b.Object()
	}
	return nil
}

// placeRing places the ring around the chosen message. The buttons of a user's message are in the
// gap below it.
func (k *keyboardSelect) placeRing(i int, line bool, x, y, h float32) {
	if i != k.Chosen-1 || line != k.isLineChosen(i) {
		return
	}
	below := float32(6)
	if _, own := k.t.View.Items[i].(view.User); own && !k.t.isEditing(i) {
		below = rowGap
	}
	k.Ring.Show()
	kit.Place(k.Ring, x-10, y-8, k.t.View.width+20, 8+h+below)
}
