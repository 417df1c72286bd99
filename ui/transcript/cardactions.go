package transcript

import (
	"strings"
	"time"

	"goated/ui/kit"
	"goated/ui/view"
)

// CardActions are the functions of the window that cards call.
type CardActions struct {
	kit.Runner
	View func(view.Part)             // shows the whole part
	Save func(name string, d []byte) // asks for a file name and writes the file
	Play func(sound []byte)          // opens the system's player
	Now  func() time.Time
	Read func(server string, link view.Part) // reads the resource of a link from its server, and shows it
	Show func(folder string)                 // opens a folder on this computer

	Server func(id string) string // returns the name of a server; if it is nil, cards show the id

	Log     func(view.Card) func() // returns a function that opens the log of the server; nil if the server is gone
	Inspect func(view.Card) func() // returns a function that shows the messages of the call; nil without an inspector
}

func (e CardActions) clock() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// Opens returns a function that opens an attachment, or nil if the window cannot. The function
// shows an image or a text, plays a sound, and saves any other file.
func (e CardActions) Opens(a view.Attachment) func() {
	switch held := len(a.Data) > 0; {
	case (a.Content != "" || a.Image() && held) && e.View != nil:
		return func() { e.View(a.Part()) }
	case strings.HasPrefix(a.Type, "audio/") && held && e.Play != nil:
		return func() { e.Play(a.Data) }
	case held && e.Save != nil:
		return func() { e.Save(a.Name, a.Data) }
	}
	return nil
}
