package ghost

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
)

// The bundled sounds serve systems without a sound theme: 16-bit mono PCM at
// 16 kHz, tones with two softer overtones that fade in and out so that nothing
// clicks. error is a low double tone, warning one mid tone, success two rising
// tones. The recipe is in bundled_test.go; go test -update makes them again.
//
//go:embed sounds/error.wav sounds/warning.wav sounds/success.wav
var bundled embed.FS

// unpack puts a bundled sound where a player can open it and returns its path.
// It stays in the user's cache, readable to no one else, for the next time.
func unpack(dir, kind string) (string, error) {
	name := kind + ".wav"
	data, err := bundled.ReadFile("sounds/" + name)
	if err != nil {
		return "", fmt.Errorf("no sound is bundled for %s", kind)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("unpacking the sound: %w", reason(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("unpacking the sound: %w", reason(err))
	}
	defer root.Close()
	file := filepath.Join(dir, name)
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		if have, err := root.ReadFile(name); err == nil && bytes.Equal(have, data) {
			return file, nil
		}
	}
	if err := replaceFile(root, name, data, 0o600); err != nil {
		return "", fmt.Errorf("unpacking the sound: %w", reason(err))
	}
	return file, nil
}
