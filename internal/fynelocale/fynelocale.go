// Package fynelocale gives Fyne a locale that it can read.
//
// Fyne parses the locale of the user while the program initializes, before main, and prints three
// lines of error for one that is not a language tag. C.UTF-8, the locale of most containers, and
// de_DE@euro are not language tags, so each command of goated would print an error first. The
// program that shows the window imports this package for its side effect.
//
// It owns the variable LANGUAGE of this process. It must not import anything outside of the
// standard library: Go initializes independent packages in the order of their paths, and this one
// has to come before Fyne.
package fynelocale

import (
	"os"

	"goated/internal/lazyregexp"
)

// Go has no other way to run before the initialization of an imported package.
var _ = set()

func set() error {
	if language := replacement(os.Getenv); language != "" {
		return os.Setenv("LANGUAGE", language)
	}
	return nil
}

// replacement returns the value of LANGUAGE for a locale that Fyne cannot parse; empty if it
// can, or if the user has set LANGUAGE. Fyne uses the first of the three variables that
// is set, and LANGUAGE before them.
func replacement(getenv func(string) string) string {
	if getenv("LANGUAGE") != "" {
		return ""
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale := getenv(name)
		switch {
		case locale == "":
			continue
		case locale == "C" || locale == "POSIX" || readable.MatchString(locale):
			return ""
		}
		if language := beginning.FindString(locale); language != "" {
			return language
		}
		return "en"
	}
	return ""
}

// A locale is language[_territory][.codeset][@modifier] (POSIX, 8.2).
var (
	readable  = lazyregexp.New(`^[a-z]{2,3}([_-][A-Z]{2})?(\.[^@]*)?$`)
	beginning = lazyregexp.New(`^[a-z]{2,3}([_-][A-Z]{2})?\b`)
)
