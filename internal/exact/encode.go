package exact

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode encodes a value as compact JSON without the escapes that [json.Marshal] adds for browsers:
// it writes & instead of \u0026. It also removes these escapes from JSON inside the value, such as
// a [json.RawMessage] that json.Marshal wrote. It does not change the value.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return unescaped(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// String encodes a value like [Encode]. It formats a value without a JSON form, such as a channel,
// like [fmt.Sprint].
func String(v any) string {
	data, err := Encode(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// unescaped replaces \u003c, \u003e and \u0026 in JSON by their characters. It modifies data.
func unescaped(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u00`)) {
		return data
	}
	out := data[:0]
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\\')
		if i < 0 || i+1 == len(data) {
			return append(out, data...)
		}
		out = append(out, data[:i]...)
		data = data[i:]
		n := 2 // skip the escape, because its second character may be a backslash
		if len(data) >= 6 && data[1] == 'u' {
			n = 6
		}
		switch string(bytes.ToLower(data[:n])) {
		case `\u003c`:
			out = append(out, '<')
		case `\u003e`:
			out = append(out, '>')
		case `\u0026`:
			out = append(out, '&')
		default:
			out = append(out, data[:n]...)
		}
		data = data[n:]
	}
	return out
}
