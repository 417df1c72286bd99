package transcript

import "fmt"

// ScrollPos says where the reader is: the row at the top and how far down in it,
// since heights are not the same in another window. It is empty at the end, where
// one stays when more comes.
func (t *Transcript) ScrollPos() string {
	if t.Stick || len(t.Rows) == 0 {
		return ""
	}
	y := t.Scroll.Scroll.Offset.Y - t.Headroom()
	i := t.Heights.At(y)
	return fmt.Sprintf("%d %.1f", i, y-t.Heights.Before(i))
}

// SetScrollPos goes to where bearing was.
func (t *Transcript) SetScrollPos(bearing string) {
	var item int
	var down float32
	if _, err := fmt.Sscanf(bearing, "%d %f", &item, &down); err != nil || item < 0 || item >= len(t.Rows) {
		return
	}
	// What lies above is guessed; once it exists, look again from there.
	for range 4 {
		t.GoTo(t.Heights.Before(item) + t.Headroom() + down)
	}
}
