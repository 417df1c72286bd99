package jsonscan

import "encoding/json"

// AppendString appends a text as a JSON string. It copies plain ASCII as it is;
// [json.Marshal] encodes any other text.
func AppendString(to []byte, text string) []byte {
	for _, c := range []byte(text) {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			data, _ := json.Marshal(text) // a text can be encoded
			return append(to, data...)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}
