// Package result draws the result of a tool: texts, images, sounds, resources and links.
//
// It has no state besides its widgets. Package view divides a result into parts. Package result
// must not depend on the page around them.
package result

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/section"
	"goated/ui/view"
)

// A Host contains the functions that the parts of a result call on the page around them. Play,
// Read and Show may be nil.
type Host struct {
	section.Host
	Play    func(sound []byte)   // plays a sound with the system's player
	Open    func(address string) // opens a web page
	Read    func(link view.Part) // reads the resource of a link from its server, and shows it
	Show    func(folder string)  // opens a folder on this computer
	Resized func()               // runs when the size of an image is known
}

// Draw returns a part of a result, and its section if it has one.
func Draw(p view.Part, h Host) (fyne.CanvasObject, *section.Section) {
	switch p.Kind {
	case view.ImagePart:
		return h.image(p), nil
	case view.AudioPart:
		return h.file("sound", p), nil
	case view.LinkPart:
		return h.file("chain", p), nil
	case view.ResourcePart:
		head := h.file("file", p)
		if p.Text == "" {
			return head, nil
		}
		p.Title = "Text"
		s := section.New(p, h.Host)
		return kit.Vertical(6, head, s.Root), s
	}
	s := section.New(p, h.Host)
	return s.Root, s
}
