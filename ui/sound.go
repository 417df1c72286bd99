package ui

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"goated/internal/errtext"
	"goated/ui/shell"
	"goated/ui/view"
)

// sounds play with the system's player, from files in a separate folder.
type sounds struct {
	shell *shell.Shell

	mu  sync.Mutex
	dir string // empty until the first sound
}

// play plays a sound with the system's player. The data determines the file extension, never a
// name or type from a server. remove deletes the file.
func (s *sounds) play(data []byte) {
	ending, _ := view.Sound(data)
	s.shell.Go(func() {
		path, err := s.writeTemp(data, ending)
		if err == nil {
			err = s.shell.OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)})
		}
		if err != nil {
			s.shell.Post(func() { s.shell.Toasts.Say("alert", fmt.Sprintf("Can't play this: %s", errtext.PlainSentence(err))) })
		}
	})
}

// writeTemp writes a sound to a file in a folder that only the user can read, and
// returns its path.
func (s *sounds) writeTemp(data []byte, ending string) (string, error) {
	if ending == "" {
		return "", errors.New("goated does not know this sound format; save it and open it yourself")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "goated-sound-*")
		if err != nil {
			return "", fmt.Errorf("creating its folder: %w", err)
		}
		s.dir = dir
	}
	f, err := os.CreateTemp(s.dir, "sound-*"+ending)
	if err != nil {
		return "", fmt.Errorf("writing the file: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("writing the file: %w", err)
	}
	return f.Name(), nil
}

// remove deletes the folder of sounds.
func (s *sounds) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
		s.dir = ""
	}
}
