package safetext

import "unicode/utf8"

// Split splits a text that grows: ready can be shown now, and rest may belong to a
// character that is not complete yet. Put rest before the next part; at the end of
// the text, show it.
func Split(text string) (ready, rest string) {
	// A character has at most a few joined emoji; more text is shown anyway.
	from := max(0, len(text)-128)
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	at := from // the last readable character; hidden ones may belong to it
	for p := range pieces(text[from:]) {
		if !p.hidden {
			at = from
		}
		from += len(p.text)
	}
	if at+1 == len(text) && text[at] <= ' ' {
		return text, "" // no accent follows a blank
	}
	return text[:at], text[at:]
}
