package models

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"unicode"
)

// geminiVariables are the variables of the environment with the key of Gemini: the first
// that is set counts.
var geminiVariables = []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}

// EnvironmentKey returns the key of Gemini in the environment, and its variable; both are
// empty if there is none.
func EnvironmentKey() (key, variable string) {
	for _, name := range geminiVariables {
		if key := CleanKey(os.Getenv(name)); key != "" {
			return key, name
		}
	}
	return "", ""
}

// Memory is where a [HeldKey] is from.
const Memory = "memory"

// A HeldKey is a key that lasts until goated quits, for a system whose keyring takes none. The
// zero value has none. It is safe for concurrent use.
type HeldKey struct{ key atomic.Pointer[string] }

// Hold keeps a key; an empty one forgets it.
func (h *HeldKey) Hold(key string) {
	key = CleanKey(key)
	h.key.Store(&key)
}

// Or returns the key, or what find finds if there is none.
func (h *HeldKey) Or(ctx context.Context, find func(context.Context) (key, from string)) (key, from string) {
	if held := h.key.Load(); held != nil && *held != "" {
		return *held, Memory
	}
	return find(ctx)
}

// Forget forgets the key. If there is none, it clears the place that keeps one.
func (h *HeldKey) Forget(clear func() error) error {
	if held := h.key.Swap(nil); held != nil && *held != "" {
		return nil
	}
	return clear()
}

// CleanKey returns the key in a text that was pasted or read from a file: without the
// spaces, line breaks, quotes and invisible characters around and in it, and without the
// name of a variable before it. No key has any of them.
func CleanKey(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
	text = strings.TrimPrefix(strings.TrimSpace(text), "export ")
	if name, value, ok := strings.Cut(text, "="); ok && strings.HasSuffix(strings.TrimSpace(name), "_API_KEY") {
		text = value
	}
	return strings.ReplaceAll(strings.Trim(text, " \"'`“”‘’"), " ", "")
}
