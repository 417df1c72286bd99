// Package modelkey finds the key of Gemini in the environment, and cleans the keys that users
// paste. It stores no key.
package modelkey

import (
	"os"
	"strings"
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
