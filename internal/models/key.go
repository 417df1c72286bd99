package models

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"unicode"
)

// geminiVariables lists the environment variables that may contain the key of Gemini. The first one
// that is set counts.
var geminiVariables = []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}

// EnvironmentKey returns the key of Gemini in the environment and the name of its variable. Both
// are empty if there is no key.
func EnvironmentKey() (key, variable string) {
	for _, name := range geminiVariables {
		if key := CleanKey(os.Getenv(name)); key != "" {
			return key, name
		}
	}
	return "", ""
}

// Memory is the origin of a [HeldKey].
const Memory = "memory"

// A HeldKey holds a key until goated quits, for a system without a working keyring. The zero value
// holds no key. It is safe for concurrent use.
type HeldKey struct{ key atomic.Pointer[string] }

// Hold stores a key. An empty key deletes the stored one.
func (h *HeldKey) Hold(key string) {
	key = CleanKey(key)
	h.key.Store(&key)
}

// Or returns the held key, or the result of find if there is none.
func (h *HeldKey) Or(ctx context.Context, find func(context.Context) (key, from string)) (key, from string) {
	if held := h.key.Load(); held != nil && *held != "" {
		return *held, Memory
	}
	return find(ctx)
}

// Forget deletes the held key. If there is none, it calls clear, which deletes the saved key.
func (h *HeldKey) Forget(clear func() error) error {
	if held := h.key.Swap(nil); held != nil && *held != "" {
		return nil
	}
	return clear()
}

// CleanKey returns the key in a text that was pasted or read from a file. It removes spaces, line
// breaks, quotes and invisible characters around and inside the key, and the name of a variable
// before it. No key contains any of these.
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
