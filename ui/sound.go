package ui

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"goated/ui/view"
)

// A soundFolder is the folder of the sounds given to the system's player. dir is
// empty until the first sound.
type soundFolder struct {
	sync.Mutex
	dir string
}

// playSound plays a sound with the system's player. The bytes decide the ending of
// the file, never a name or type from a server. Close removes the file.
func (w *Window) playSound(data []byte) {
	ending, _ := view.Sound(data)
	w.begin(func() {
		path, err := w.writeSound(data, ending)
		if err == nil {
			err = w.openURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)})
		}
		if err != nil {
			w.post(func() { w.toasts.Say("alert", fmt.Sprintf("Can't play this: %s", view.Sentence(err.Error()))) })
		}
	})
}

// writeSound writes a sound to a file in a folder that only the user can read, and
// returns its path.
func (w *Window) writeSound(data []byte, ending string) (string, error) {
	if ending == "" {
		return "", errors.New("goated does not know this sound format; save it and open it yourself")
	}
	w.sounds.Lock()
	defer w.sounds.Unlock()
	if w.sounds.dir == "" {
		dir, err := os.MkdirTemp("", "goated-sound-*")
		if err != nil {
			return "", fmt.Errorf("creating its folder: %w", err)
		}
		w.sounds.dir = dir
	}
	f, err := os.CreateTemp(w.sounds.dir, "sound-*"+ending)
	if err != nil {
		return "", fmt.Errorf("writing the file: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("writing the file: %w", err)
	}
	return f.Name(), nil
}

// removeSounds removes the folder of sounds.
func (w *Window) removeSounds() {
	w.sounds.Lock()
	defer w.sounds.Unlock()
	if w.sounds.dir != "" {
		_ = os.RemoveAll(w.sounds.dir)
		w.sounds.dir = ""
	}
}
