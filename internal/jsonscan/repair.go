package jsonscan

import "unicode/utf8"

// Repair replaces each run of bytes that are not UTF-8 with one U+FFFD, as JSON readers do. It
// returns line itself if it is valid. The result may be twice as long as line, and is allocated
// once. If it would be longer than limit, Repair returns nil.
func Repair(line []byte, limit int) []byte {
	if utf8.Valid(line) {
		return line
	}
	size := 0
	walk(line, func(part []byte) { size += len(part) })
	if size > limit {
		return nil
	}
	whole := make([]byte, 0, size)
	walk(line, func(part []byte) { whole = append(whole, part...) })
	return whole
}

// walk yields the valid UTF-8 parts of a line, and U+FFFD for each run of invalid bytes between
// them.
func walk(line []byte, yield func([]byte)) {
	sign := []byte("\uFFFD")
	for from, i := 0, 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r != utf8.RuneError || n != 1 {
			if i += n; i == len(line) {
				yield(line[from:])
			}
			continue
		}
		yield(line[from:i])
		for n == 1 && r == utf8.RuneError {
			i++
			r, n = utf8.DecodeRune(line[i:])
		}
		yield(sign)
		from = i
	}
}
