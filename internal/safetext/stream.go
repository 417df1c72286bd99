package safetext

import "unicode/utf8"

// Split splits the received part of a growing text. ready can be shown now. rest may belong to an
// incomplete character, so the caller puts it before the next part, and shows it at the end of the
// text.
func Split(text string) (ready, rest string) {
	// A character consists of at most a few joined emoji. Longer ones are shown early.
	from := max(0, len(text)-128)
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	at := from // the last readable character, to which hidden ones may belong
	for p := range pieces(text[from:]) {
		if !p.hidden {
			at = from
		}
		from += len(p.text)
	}
	if at+1 == len(text) && text[at] <= ' ' {
		return text, "" // no accent follows a space
	}
	return text[:at], text[at:]
}
