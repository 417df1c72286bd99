package outline

import (
	"strings"
	"unicode/utf8"
)

// Maximum lengths of a symbol's texts, in bytes.
const (
	maxSignature = 240
	maxDoc       = 320
)

// signatureLine returns a signature on one line, without the opening of its body.
func signatureLine(s string) string {
	if len(s) > 4*maxSignature {
		s = s[:4*maxSignature]
	}
	s = strings.Join(strings.Fields(s), " ")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "( ", "("), ", )", ")")
	for {
		t := strings.TrimRight(s, " {;:")
		t = strings.TrimSuffix(t, "=>")
		if t == s {
			return cut(t, maxSignature)
		}
		s = t
	}
}

// paragraph returns the first paragraph of a comment's text on one line.
func paragraph(s string) string {
	var words []string
	size := 0
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "@") || strings.HasPrefix(line, ":param") {
			if len(words) > 0 {
				break
			}
			continue
		}
		words = append(words, line)
		if size += len(line); size > maxDoc {
			break
		}
	}
	return cut(strings.Join(strings.Fields(strings.Join(words, " ")), " "), maxDoc)
}

// cut shortens s to n bytes at a rune boundary.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	end := n - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimRight(s[:end], " ") + "…"
}

// uncomment removes the comment markers from consecutive comments.
func uncomment(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for _, sign := range []string{"///", "//!", "//", "/**", "/*!", "/*", "--[[", "---", "--", "##", "#!", "#"} {
			if rest, ok := strings.CutPrefix(line, sign); ok {
				line = rest
				break
			}
		}
		line = strings.TrimSuffix(strings.TrimSuffix(line, "*/"), "]]")
		line = strings.TrimSpace(line)
		if line == "*" {
			line = ""
		}
		line = strings.TrimPrefix(line, "* ")
		line = strings.ReplaceAll(strings.ReplaceAll(line, "<summary>", ""), "</summary>", "")
		b.WriteString(strings.TrimSpace(line))
		b.WriteByte('\n')
	}
	return b.String()
}

// undocstring removes the quotes of a Python string.
func undocstring(s string) string {
	s = strings.TrimLeft(s, "rRuUbBfF")
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if rest, ok := strings.CutPrefix(s, q); ok {
			return strings.TrimSuffix(rest, q)
		}
	}
	return s
}
