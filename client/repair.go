package client

import "unicode/utf8"

// repair replaces bytes that are no UTF-8, each row of them by one U+FFFD, as
// JSON's readers do. What it returns is made at once in the length that it will
// have, which may be twice the line's; where that is over the limit, it is nil.
func repair(line []byte, limit int) []byte {
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

// walk yields what is UTF-8 in a line, and U+FFFD for each row of bytes between.
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
