// Package fynelocale gives Fyne a locale that it can parse.
//
// Fyne parses the user's locale while the program initializes, before main, and prints three lines
// of error if it is not a language tag. C.UTF-8, the locale of most containers, and de_DE@euro are
// not language tags, so each command of goated would print an error first. The program that shows
// the window imports this package for its side effect.
//
// It owns the environment variable LANGUAGE of this process. It must not import anything outside
// the standard library: Go initializes independent packages in the order of their paths, and this
// package must come before Fyne.
package fynelocale

import (
	"os"
	"strings"
)

// Go has no other way to run code before an imported package initializes.
var _ = set()

func set() error {
	if language := replacement(os.Getenv); language != "" {
		return os.Setenv("LANGUAGE", language)
	}
	return nil
}

// replacement returns the value of LANGUAGE for a locale that Fyne cannot parse. It returns "" if
// Fyne can parse it, or if the user has set LANGUAGE. Fyne uses LANGUAGE first, and then the first
// of the three variables that is set.
func replacement(getenv func(string) string) string {
	if getenv("LANGUAGE") != "" {
		return ""
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale := getenv(name)
		language, rest := cut(locale)
		switch {
		case locale == "":
			continue
		case locale == "C" || locale == "POSIX":
			return ""
		case language == "":
			return "en"
		case rest == "" || rest[0] == '.' && !strings.Contains(rest, "@"):
			return ""
		}
		return language
	}
	return ""
}

// cut splits a locale into its language with the territory, and the rest. The language is empty if
// the locale does not begin with one. A locale is language[_territory][.codeset][@modifier] (POSIX,
// 8.2).
func cut(locale string) (language, rest string) {
	n := len(locale) - len(strings.TrimLeft(locale, lower))
	if n < 2 || n > 3 {
		return "", locale
	}
	if t := locale[n:]; len(t) >= 3 && strings.Contains("_-", t[:1]) && strings.Trim(t[1:3], upper) == "" && !inWord(t[3:]) {
		n += 3
	}
	if inWord(locale[n:]) {
		return "", locale
	}
	return locale[:n], locale[n:]
}

const (
	lower = "abcdefghijklmnopqrstuvwxyz"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// inWord reports whether a text continues a word.
func inWord(text string) bool {
	return text != "" && strings.Contains(lower+upper+"0123456789_", text[:1])
}
