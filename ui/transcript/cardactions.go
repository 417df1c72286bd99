package transcript

import (
	"time"

	"goated/ui/kit"
	"goated/ui/view"
)

// CardActions are the functions that cards need of the window.
type CardActions struct {
	kit.Runner
	View func(view.Part)             // shows the whole part
	Save func(name string, d []byte) // asks for a file name and writes the file
	Play func(sound []byte)          // opens the system's player
	Now  func() time.Time
}

func (e CardActions) clock() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}
