// Package shellword formats arguments as words of a POSIX shell, for commands that the user copies.
//
// It must not know servers, windows or terminals. It has no state.
package shellword

import (
	"fmt"
	"strings"
	"unicode"

	"goated/internal/safetext"
)

// Quote quotes an argument for a POSIX shell, if that is necessary. It writes line feeds and
// invisible characters as escape sequences, which bash, zsh and ksh understand. So a name that a
// server chose cannot look like another command.
func Quote(arg string) string {
	if safetext.Hidden(arg) > 0 || strings.ContainsAny(arg, "\n\t") {
		return escaped(arg)
	}
	plain := func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("-_./@:=+,", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// escaped quotes an argument as $'…'.
func escaped(arg string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(arg) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteString("\\" + string(c))
		case c >= ' ' && c <= '~':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return b.String() + "'"
}
