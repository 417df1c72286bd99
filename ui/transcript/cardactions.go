package transcript

import (
	"time"

	"goated/ui/kit"
	"goated/ui/view"
)

// The CardActions are what a card has the window do for it.
type CardActions struct {
	kit.Runner
	View func(view.Part)             // shows all of a part
	Save func(name string, d []byte) // asks where to, and writes
	Play func(sound []byte)          // by the system's player
	Now  func() time.Time
}

func (e CardActions) clock() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}
