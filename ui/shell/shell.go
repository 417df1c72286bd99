// Package shell holds what every page of the window may use: its clock, its
// goroutines, its toasts and sheets, the clipboard, and the settings. It owns the
// stack of sheets. It knows no page, no server and no conversation.
package shell

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"goated/internal/config"
	"goated/ui/kit"
	"goated/ui/view"
)

// A Shell is what a page receives from the window. Its fields belong to the UI
// goroutine, except where they say otherwise.
type Shell struct {
	Ctx      context.Context  // ends when the window closes
	Post     func(func())     // runs a function on the UI goroutine, soon; from any goroutine
	Go       func(func())     // runs a function on a goroutine that the window waits for
	Now      func() time.Time // of the user's clock
	Clock    *kit.Clock       // of what moves
	Toasts   *kit.Toasts
	Tips     *kit.Tooltips
	Sheets   *Sheets
	Copy     func(text string)    // to the clipboard
	OpenURL  func(*url.URL) error // as the desktop does; from any goroutine
	Settings *config.Settings     // the present ones; to change them call Change
	Change   func(config.Settings)
}

// Alert shows an error in a toast.
func (s *Shell) Alert(err error) { s.Toasts.Say("alert", view.Sentence(err.Error())) }

// Reveal opens a file or a folder with the desktop's program for it.
func (s *Shell) Reveal(path string) {
	s.launch(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)})
}

// Follow opens a web page in the browser.
func (s *Shell) Follow(address string) {
	if u, err := url.Parse(address); err == nil {
		s.launch(u)
	}
}

func (s *Shell) launch(u *url.URL) {
	s.Go(func() {
		if err := s.OpenURL(u); err != nil {
			s.Post(func() { s.Toasts.Say("alert", fmt.Sprintf("It did not open: %v", err)) })
		}
	})
}
