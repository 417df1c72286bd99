package inspect

import "bytes"

// visit calls f for each member of a JSON object, up to its end or to the place where it is cut. A
// cut value comes last. visit does not check the grammar, so its input may be anything.
func visit(object []byte, f func(key, value []byte)) {
	rest := bytes.TrimLeft(object, " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return
	}
	rest = rest[1:]
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n,")
		if len(rest) == 0 || rest[0] != '"' {
			return
		}
		n := length(rest)
		key := rest[:n]
		rest = bytes.TrimLeft(rest[n:], " \t\r\n")
		if len(key) < 2 || len(rest) == 0 || rest[0] != ':' {
			return
		}
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		n = length(rest)
		if n == 0 {
			return
		}
		f(key[1:len(key)-1], rest[:n])
		rest = rest[n:]
	}
}

// elements calls f for each complete element of a JSON array, up to its end or to the place where
// it is cut.
func elements(array []byte, f func(value []byte)) {
	rest := bytes.TrimLeft(array, " \t\r\n")
	if len(rest) == 0 || rest[0] != '[' {
		return
	}
	rest = rest[1:]
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n,")
		n := length(rest)
		if n == 0 || n == len(rest) { // a complete array still has its closing bracket
			return
		}
		f(rest[:n])
		rest = rest[n:]
	}
}

// length returns the length of the JSON value at the beginning of data, up to the place where data
// is cut.
func length(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i++
			for i < len(data) && data[i] != '"' {
				if data[i] == '\\' {
					i++
				}
				i++
			}
			if i >= len(data) {
				return len(data)
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // the end of a number or a literal
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return len(data)
}
