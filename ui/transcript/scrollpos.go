package transcript

import "fmt"

// ScrollPos encodes the text at the top as its row, block and character, and the offset from
// there. It does not encode a height, because another window has other heights. It returns "" at
// the end, where the view follows new text.
func (v *viewport) ScrollPos() string {
	if v.Stick || len(v.Rows) == 0 {
		return ""
	}
	top := v.Scroll.Scroll.Offset.Y
	p := topPlace(v, top)
	if !p.ok { // above the first row
		p.char, p.down = -1, top-v.headroom()
	}
	return fmt.Sprintf("%d %d %d %.1f", p.row, p.part, p.char, p.down)
}

// SetScrollPos scrolls to a position from ScrollPos. It ignores any other text.
func (v *viewport) SetScrollPos(pos string) {
	p := place{ok: true}
	if _, err := fmt.Sscanf(pos, "%d %d %d %f", &p.row, &p.part, &p.char, &p.down); err != nil || p.row < 0 || p.row >= len(v.Rows) {
		return
	}
	v.Stick = false
	v.hold.at, v.hold.top = p, v.Scroll.Scroll.Offset.Y // for a window that has no width yet
	if v.Scroll.Width > 0 {
		v.Arrange() // it may set the width
		arrange(v, v.hold.top, p)
	}
}
