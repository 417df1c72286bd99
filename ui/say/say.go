// Package say holds what goated says to a person: every sentence, title and
// label of the window and of what the terminal shares with it, in English in the
// code and in one book for each language.
//
// The English text is the key of its translation, so that code reads as what is
// shown, and a book that lacks a sentence leaves it English. en.json lists all of
// them: a translator copies it, and changes what is to the right of the colons.
package say

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// spoken is the language of the program: one for all, as the system has one. It
// is the only state of a package in goated, because a sentence is needed where
// nothing else is, down to the unit of a number.
var spoken atomic.Pointer[Book]

// Speak has what is said from now on come from b; nil is English. It is called
// before there is anything to see: what is on the screen is not said anew.
func Speak(b *Book) { spoken.Store(b) }

// S is a sentence of the language that is spoken, with args put in as fmt does.
// english is a constant, or a translator never sees it.
func S(english string, args ...any) string {
	if b := spoken.Load(); b != nil {
		if text := b.sentences[english]; text.other != "" {
			return fmt.Sprintf(text.other, args...)
		}
	}
	if len(args) == 0 && !strings.Contains(english, "%") {
		return english // as most are
	}
	return fmt.Sprintf(english, args...)
}

// E is an error for a person, in the language that is spoken. It wraps what %w
// puts in.
func E(english string, args ...any) error {
	if b := spoken.Load(); b != nil {
		if text := b.sentences[english]; text.other != "" {
			return fmt.Errorf(text.other, args...)
		}
	}
	return fmt.Errorf(english, args...)
}

// N is a sentence about n things, in the form that the language has for so many:
// N(n, "%d tool", "%d tools"). n is the first argument; a form that leaves it out
// names the others by their index, as in "the file in %[2]s".
func N(n int, one, other string, args ...any) string {
	form := other
	if b := spoken.Load(); b != nil {
		form = b.form(n, one, other)
	} else if n == 1 {
		form = one
	}
	if !strings.Contains(form, "%") {
		return form // fmt would tell that n is not in it
	}
	return fmt.Sprintf(form, append([]any{n}, args...)...)
}
