package ui

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

// A shell is what a page receives from the window. Its fields belong to the UI
// goroutine, except where they say otherwise.
type shell struct {
	ctx      context.Context  // ends when the window closes
	post     func(func())     // runs a function on the UI goroutine, soon; from any goroutine
	begin    func(func())     // runs a function on a goroutine that the window waits for
	now      func() time.Time // of the user's clock
	clock    *kit.Clock       // of what moves
	toasts   *kit.Toasts
	tips     *kit.Tooltips
	sheets   *sheetStack
	copy     func(text string)    // to the clipboard
	openURL  func(*url.URL) error // as the desktop does; from any goroutine
	settings *config.Settings     // the present ones; to change them call change
	change   func(config.Settings)
}

// alert shows an error in a toast.
func (s *shell) alert(err error) { s.toasts.Say("alert", view.Sentence(err.Error())) }

// Reveal opens a file or a folder with the desktop's program for it.
func (s *shell) Reveal(path string) {
	s.launch(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)})
}

// follow opens a web page in the browser.
func (s *shell) follow(address string) {
	if u, err := url.Parse(address); err == nil {
		s.launch(u)
	}
}

func (s *shell) launch(u *url.URL) {
	s.begin(func() {
		if err := s.openURL(u); err != nil {
			s.post(func() { s.toasts.Say("alert", fmt.Sprintf("It did not open: %v", err)) })
		}
	})
}
