package transcript

import (
	"image"

	"goated/ui/view"
	"goated/ui/view/picture"
)

// mostPreviews bounds the previews that are remembered.
const mostPreviews = 64

// Illustrate makes the preview of an image that was attached in an earlier
// session, beside the UI goroutine, and then shows it. What is remembered is
// shown at once.
func (t *Transcript) Illustrate(a view.Attachment, shown func(view.Attachment)) {
	if a.Preview != nil || !a.Image() || len(a.Data) == 0 {
		return
	}
	key := &a.Data[0]
	if img, ok := t.pictures.previews[key]; ok {
		if a.Preview = img; img != nil {
			shown(a)
		}
		return
	}
	var img image.Image
	t.run(func() { img = picture.Thumbnail(a.Data) }, func() {
		if len(t.pictures.previews) >= mostPreviews {
			clear(t.pictures.previews)
		}
		t.pictures.previews[key] = img
		if a.Preview = img; img != nil {
			shown(a)
			t.View.repaint()
		}
	})
}
