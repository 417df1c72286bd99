package transcript

import "fmt"

// ScrollPos returns the first visible row and the offset in it, because another
// window has other heights. It is empty at the end, where the view follows new
// text.
func (v *viewport) ScrollPos() string {
	if v.Stick || len(v.Rows) == 0 {
		return ""
	}
	y := v.Scroll.Scroll.Offset.Y - v.headroom()
	i := v.Heights.At(y)
	return fmt.Sprintf("%d %.1f", i, y-v.Heights.Before(i))
}

// SetScrollPos scrolls to a position from ScrollPos and ignores other text.
func (v *viewport) SetScrollPos(pos string) {
	var item int
	var down float32
	if _, err := fmt.Sscanf(pos, "%d %f", &item, &down); err != nil || item < 0 || item >= len(v.Rows) {
		return
	}
	// The rows above are estimates; repeat once they exist.
	for range 4 {
		v.GoTo(v.Heights.Before(item) + v.headroom() + down)
	}
}
