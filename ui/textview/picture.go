package textview

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"goated/ui/figure"
	"goated/ui/view/picture"
)

// maxPictures limits the number of cached pictures.
const maxPictures = 16

// Pictures caches the decoded pictures of answers. Decoding runs outside the UI goroutine.
type Pictures struct {
	run    func(f, done func())
	read   map[string]picture.Picture
	asking map[string][]*View
}

// NewPictures returns an empty cache. run calls f outside the UI goroutine, and then done on it.
func NewPictures(run func(f, done func())) *Pictures {
	return &Pictures{run: run, read: map[string]picture.Picture{}, asking: map[string][]*View{}}
}

// pictureOf returns the picture in a data URI if it is already decoded. Otherwise p is drawn
// again after decoding.
func (ps *Pictures) pictureOf(uri string, p *View) picture.Picture {
	if read, ok := ps.read[uri]; ok {
		return read
	}
	if asked, pending := ps.asking[uri]; pending {
		if !slices.Contains(asked, p) {
			ps.asking[uri] = append(asked, p)
		}
		return picture.Picture{}
	}
	ps.asking[uri] = []*View{p}
	within := true // the caller draws a picture that is ready immediately
	defer func() { within = false }()
	var read picture.Picture
	ps.run(func() { read, _ = picture.DecodeURI(uri, figure.MaxSide) }, func() {
		if len(ps.read) >= maxPictures {
			clear(ps.read)
		}
		ps.read[uri] = read
		asked := ps.asking[uri]
		delete(ps.asking, uri)
		for _, p := range asked {
			if read.Image != nil && !within {
				p.Refresh()
			}
		}
	})
	return ps.read[uri]
}

// A drawnPicture keeps the picture of a data URI while its text exists, even if the cache drops
// it. Otherwise a text with more pictures than the cache holds would decode them forever.
type drawnPicture struct {
	*canvas.Image
	uri string
}

// showPictures draws the visible pictures that are decoded.
func (r *renderer) showPictures() {
	for i, c := range r.p.Set.Pictures {
		if !r.p.drawn(c.Y, c.Y+c.H) {
			continue
		}
		for i >= len(r.images) {
			image := &canvas.Image{FillMode: canvas.ImageFillContain}
			image.CornerRadius = 6
			r.images = append(r.images, drawnPicture{Image: image})
		}
		d := &r.images[i]
		if d.uri != c.Uri {
			read := r.p.in.Pictures.pictureOf(c.Uri, r.p)
			if read.Image == nil {
				continue
			}
			d.uri, d.Image.Image = c.Uri, read.Image
			d.Refresh()
		}
		d.Move(fyne.NewPos(c.X, c.Y))
		d.Resize(fyne.NewSize(c.W, c.H))
		r.objects = append(r.objects, d.Image)
	}
}
