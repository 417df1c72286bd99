package markdown

import (
	"encoding/base64"
	"image"
	"strings"

	"github.com/yuin/goldmark/ast"

	"goated/ui/richtext"
	"goated/ui/view/picture"
)

// picture returns a block for an image that is a whole paragraph and whose URI contains the data.
// It returns false for any other image, which becomes a link, because the parser fetches nothing.
func (r reader) picture(n *ast.Image) (Block, bool) {
	uri := strings.TrimSpace(string(n.Destination))
	encoded, ok := picture.Data(uri)
	if !ok {
		return Block{}, false
	}
	config, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded)))
	if err != nil || config.Width <= 0 || config.Height <= 0 || int64(config.Width)*int64(config.Height) > picture.MaxPixels {
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
