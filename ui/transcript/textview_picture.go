package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"goated/ui/view/picture"
)

// mostPictures is how many pictures are remembered.
const mostPictures = 16

// pictures are those that are read of what the model wrote: read beside the UI
// goroutine, and remembered.
type pictures struct {
	read   map[string]picture.Picture
	asking map[string][]*TextView
}

func newPictures() pictures {
	return pictures{read: map[string]picture.Picture{}, asking: map[string][]*TextView{}}
}

// pictureOf is the picture of a data URI if it is read. If not, the passage is
// drawn again when it is.
func (t *Transcript) pictureOf(uri string, p *TextView) picture.Picture {
	if read, ok := t.pictures.read[uri]; ok {
		return read
	}
	if t.asking[uri] = append(t.asking[uri], p); len(t.asking[uri]) > 1 {
		return picture.Picture{}
	}
	within := true // what is read at once is drawn by who asked
	defer func() { within = false }()
	var read picture.Picture
	t.run(func() { read, _ = picture.DecodeURI(uri, pictureMost) }, func() {
		if len(t.pictures.read) >= mostPictures {
			clear(t.pictures.read)
		}
		t.pictures.read[uri] = read
		asked := t.asking[uri]
		delete(t.asking, uri)
		for _, p := range asked {
			if read.Image != nil && !within {
				p.Refresh()
			}
		}
	})
	return t.pictures.read[uri]
}

// showPictures draws the pictures that are in sight and read.
func (r *textViewRenderer) showPictures() {
	for i, c := range r.p.Set.Pictures {
		if !r.p.drawn(c.Y, c.Y+c.H) {
			continue
		}
		for i >= len(r.images) {
			image := &canvas.Image{FillMode: canvas.ImageFillContain}
			image.CornerRadius = 6
			r.images = append(r.images, image)
		}
		read := r.p.in.pictureOf(c.Uri, r.p)
		if read.Image == nil {
			continue
		}
		if r.images[i].Image != read.Image {
			r.images[i].Image = read.Image
			r.images[i].Refresh()
		}
		r.images[i].Move(fyne.NewPos(c.X, c.Y))
		r.images[i].Resize(fyne.NewSize(c.W, c.H))
		r.objects = append(r.objects, r.images[i])
	}
}
