// Package shell defines the functions and state that every page receives from the window: clock,
// goroutines, toasts, sheets, clipboard and settings. It owns the stack of sheets and the list of
// waiting questions. It must not depend on pages, servers or conversations.
package shell

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"goated/internal/config"
	"goated/internal/errtext"
	"goated/ui/kit"
)

// A Shell is the part of the window that a page may use. Its fields belong to the UI goroutine,
// unless their comments say otherwise.
type Shell struct {
	Ctx      context.Context  // ends when the window closes
	Post     func(func())     // runs a function on the UI goroutine later; safe to call from any goroutine
	Go       func(func())     // runs a function on a goroutine that the window waits for
	Now      func() time.Time // the current time
	Clock    *kit.Clock       // for animations
	Toasts   *kit.Toasts
	Tips     *kit.Tooltips
	Sheets   *Sheets
	Main     *Main                // the area beside the sidebar
	Waiting  *Waitlist            // the questions that wait for an answer
	Copy     func(text string)    // copies to the clipboard
	OpenURL  func(*url.URL) error // opens a URL with the desktop; safe to call from any goroutine
	Settings *config.Settings     // the current settings; call Change to change them
	Change   func(config.Settings)
}

// Alert shows an error in a toast.
func (s *Shell) Alert(err error) { s.Toasts.Say("alert", errtext.PlainSentence(err)) }

// ChooseFile lets the user choose a file, and shows errors in a toast. See [Sheets.ChooseFile].
func (s *Shell) ChooseFile(confirm string, found func(path string), endings ...string) {
	s.Sheets.ChooseFile(confirm, found, s.unopened, endings...)
}

// ChooseFolder lets the user choose a folder, and shows errors in a toast.
func (s *Shell) ChooseFolder(found func(folder string)) {
	s.Sheets.ChooseFolder("Choose", found, s.unopened)
}

func (s *Shell) unopened(err error) { s.Alert(fmt.Errorf("it can't be opened: %w", err)) }

// Reveal opens a file or a folder with the desktop's default program.
func (s *Shell) Reveal(path string) {
	s.launch(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)})
}

// OpenLink opens a web page in the browser.
func (s *Shell) OpenLink(address string) {
	if u, err := url.Parse(address); err == nil {
		s.launch(u)
	}
}

func (s *Shell) launch(u *url.URL) {
	s.Go(func() {
		if err := s.OpenURL(u); err != nil {
			s.Post(func() { s.Toasts.Say("alert", "Opening failed: "+errtext.PlainSentence(err)) })
		}
	})
}
