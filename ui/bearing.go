package ui

import "fmt"

// bearing says where the reader is: the row at the top and how far down in it,
// since heights are not the same in another window. It is empty at the end, where
// one stays when more comes.
func (t *transcript) bearing() string {
	if t.stick || len(t.rows) == 0 {
		return ""
	}
	y := t.scroll.Scroll.Offset.Y - t.headroom()
	i := t.heights.At(y)
	return fmt.Sprintf("%d %.1f", i, y-t.heights.Before(i))
}

// bear goes to where bearing was.
func (t *transcript) bear(bearing string) {
	var item int
	var down float32
	if _, err := fmt.Sscanf(bearing, "%d %f", &item, &down); err != nil || item < 0 || item >= len(t.rows) {
		return
	}
	// What lies above is guessed; once it exists, look again from there.
	for range 4 {
		t.goTo(t.heights.Before(item) + t.headroom() + down)
	}
}
