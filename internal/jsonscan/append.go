package jsonscan

import "encoding/json"

// AppendString appends a text as a JSON string. It copies plain ASCII unchanged, and encodes any
// other text with [json.Marshal].
func AppendString(to []byte, text string) []byte {
	for _, c := range []byte(text) {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			data, _ := json.Marshal(text) // encoding a string cannot fail
			return append(to, data...)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}
