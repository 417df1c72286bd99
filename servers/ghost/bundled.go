package ghost

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"goated/internal/paths"
)

// The bundled sounds are for systems without a sound theme. They are 16-bit mono PCM at 16 kHz.
// Error is a low double tone, warning is one middle tone, and success is two rising tones.
// bundled_test.go generates them, and go test -update writes them.
//
//go:embed sounds/error.wav sounds/warning.wav sounds/success.wav
var bundled embed.FS

// unpack writes a bundled sound to the user's cache and returns its path. Only the user can read
// the file. It stays there for the next call.
func unpack(dir, kind string) (string, error) {
	name := kind + ".wav"
	data, err := bundled.ReadFile("sounds/" + name)
	if err != nil {
		return "", fmt.Errorf("no sound is bundled for %s", kind)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("unpacking the sound: %w", paths.WithoutPath(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("unpacking the sound: %w", paths.WithoutPath(err))
	}
	defer root.Close()
	file := filepath.Join(dir, name)
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		if have, err := root.ReadFile(name); err == nil && bytes.Equal(have, data) {
			return file, nil
		}
	}
	if err := replaceFile(root, name, data, 0o600); err != nil {
		return "", fmt.Errorf("unpacking the sound: %w", paths.WithoutPath(err))
	}
	return file, nil
}
