package transcript

import "fmt"

// ScrollPos says where the reader is: the row at the top and how far down in it,
// since heights are not the same in another window. It is empty at the end, where
// one stays when more comes.
func (v *viewport) ScrollPos() string {
	if v.Stick || len(v.Rows) == 0 {
		return ""
	}
	y := v.Scroll.Scroll.Offset.Y - v.Headroom()
	i := v.Heights.At(y)
	return fmt.Sprintf("%d %.1f", i, y-v.Heights.Before(i))
}

// SetScrollPos goes to where bearing was.
func (v *viewport) SetScrollPos(bearing string) {
	var item int
	var down float32
	if _, err := fmt.Sscanf(bearing, "%d %f", &item, &down); err != nil || item < 0 || item >= len(v.Rows) {
		return
	}
	// What lies above is guessed; once it exists, look again from there.
	for range 4 {
		v.GoTo(v.Heights.Before(item) + v.Headroom() + down)
	}
}
