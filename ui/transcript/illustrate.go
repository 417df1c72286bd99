package transcript

import (
	"image"

	"goated/ui/view"
	"goated/ui/view/picture"
)

// maxPreviews limits the number of cached previews.
const maxPreviews = 64

// previews caches the previews of attachments by the address of their first byte. A nil image
// means that the attachment has no preview.
type previews map[*byte]image.Image

// loadPreview creates the preview of an attached image outside the UI goroutine, if the image has
// none, and passes it to shown. It passes a cached preview immediately.
func (t *Transcript) loadPreview(a view.Attachment, shown func(view.Attachment)) {
	if a.Preview != nil || !a.Image() || len(a.Data) == 0 {
		return
	}
	key := &a.Data[0]
	if img, ok := t.previews[key]; ok {
		if a.Preview = img; img != nil {
			shown(a)
		}
		return
	}
	var img image.Image
	t.run(func() { img = picture.Thumbnail(a.Data) }, func() {
		if len(t.previews) >= maxPreviews {
			clear(t.previews)
		}
		t.previews[key] = img
		if a.Preview = img; img != nil {
			shown(a)
			t.View.repaint()
		}
	})
}
