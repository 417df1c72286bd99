package picture

import (
	"encoding/base64"
	"errors"
	"strings"
)

// Data returns the base64 data in a data URI. ok is false if it is not a supported image, or is
// too large. SVG is not supported, because it can refer to other addresses.
func Data(uri string) (encoded string, ok bool) {
	head, encoded, ok := strings.Cut(uri, ",")
	if !ok || len(encoded) > base64.StdEncoding.EncodedLen(MaxBytes) {
		return "", false
	}
	kind, ok := strings.CutSuffix(strings.ToLower(head), ";base64")
	mime, ok2 := strings.CutPrefix(kind, "data:")
	return encoded, ok && ok2 && Readable(mime)
}

// DecodeURI decodes the image in a data URI; see [Decode].
func DecodeURI(uri string, most int) (Picture, error) {
	encoded, ok := Data(uri)
	if !ok {
		return Picture{}, errors.New("this is not an image")
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return Picture{}, errors.New("the image is damaged")
	}
	return Decode(data, most)
}
