package markdown

import "testing"

// Host escapes letters that look like others, so that a look-alike of a known host is not shown
// as that host.
func TestHostSpellsOutLookAlikes(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/a?b":                "example.com",
		"https://user:secret@example.com:8080/":  "example.com:8080",
		"https://\u0430pple.com/":                `\u0430pple.com`,       // Cyrillic a
		"https://g\u03bf\u03bfgle.com":           `g\u03bf\u03bfgle.com`, // Greek omicron
		"https://exam\u200bple.com":              `exam\u200bple.com`,    // a zero-width space
		"https://xn--pple-43d.com":               "xn--pple-43d.com",
		"mailto:p\u0435ter@example.com?subject=": `p\u0435ter@example.com`, // Cyrillic e
	} {
		if got := Host(address); got != want {
			t.Errorf("Host(%q) = %q, want %q", address, got, want)
		}
	}
}
