package view

import (
	"encoding/base64"
	"errors"
	"image"
	"strings"

	"github.com/yuin/goldmark/ast"

	"goated/ui/richtext"
)

// picture makes a block of an image that is all of a paragraph and brings its
// data with it. Any other image stays a link: nothing is fetched to be shown.
func (r reader) picture(n *ast.Image) (Block, bool) {
	uri := strings.TrimSpace(string(n.Destination))
	encoded, ok := pictureData(uri)
	if !ok {
		return Block{}, false
	}
	config, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded)))
	if err != nil || config.Width <= 0 || config.Height <= 0 || int64(config.Width)*int64(config.Height) > maxPicturePixels {
		return Block{}, false
	}
	var spans []richtext.Span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		spans = r.inline(spans, c, richtext.Span{})
	}
	if len(spans) == 0 {
		spans = []richtext.Span{{Text: "image"}}
	}
	return Block{Kind: Image, Spans: spans, Picture: uri, Width: config.Width, Height: config.Height}, true
}

// pictureData is the base64 of a data URI that is one of the pictures that are
// drawn, and not too large. SVG is none: it can refer to what is elsewhere.
func pictureData(uri string) (encoded string, ok bool) {
	head, encoded, ok := strings.Cut(uri, ",")
	if !ok || len(encoded) > base64.StdEncoding.EncodedLen(maxPictureBytes) {
		return "", false
	}
	kind, ok := strings.CutSuffix(strings.ToLower(head), ";base64")
	mime, ok2 := strings.CutPrefix(kind, "data:")
	return encoded, ok && ok2 && picture(mime)
}

// DecodeURI is [Decode] of what a data URI holds.
func DecodeURI(uri string, most int) (Picture, error) {
	encoded, ok := pictureData(uri)
	if !ok {
		return Picture{}, errors.New("this is no picture")
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return Picture{}, errors.New("the image is damaged")
	}
	return Decode(data, most)
}
