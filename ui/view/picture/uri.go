package picture

import (
	"encoding/base64"
	"errors"
	"strings"
)

// Data is the base64 of a data URI that is one of the pictures that are
// drawn, and not too large. SVG is none: it can refer to what is elsewhere.
func Data(uri string) (encoded string, ok bool) {
	head, encoded, ok := strings.Cut(uri, ",")
	if !ok || len(encoded) > base64.StdEncoding.EncodedLen(MaxBytes) {
		return "", false
	}
	kind, ok := strings.CutSuffix(strings.ToLower(head), ";base64")
	mime, ok2 := strings.CutPrefix(kind, "data:")
	return encoded, ok && ok2 && Readable(mime)
}

// DecodeURI is [Decode] of what a data URI holds.
func DecodeURI(uri string, most int) (Picture, error) {
	encoded, ok := Data(uri)
	if !ok {
		return Picture{}, errors.New("this is no picture")
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return Picture{}, errors.New("the image is damaged")
	}
	return Decode(data, most)
}
