package contents

import (
	"bytes"
	"image"
	_ "image/jpeg" // for image.DecodeConfig
	_ "image/png"
	"net/http"
	"slices"

	"google.golang.org/genai"
)

// Size estimates the size of a content in a request, in bytes: that of its text, and that of its
// images and files.
func Size(c *genai.Content) (text, media int) {
	for _, p := range c.Parts {
		text += len(p.Text) + len(p.ThoughtSignature)*4/3 + 40
		if p.InlineData != nil {
			media += len(p.InlineData.Data)
		}
		if p.FunctionCall != nil {
			text += len(p.FunctionCall.Name) + sizeOf(p.FunctionCall.Args)
		}
		if r := p.FunctionResponse; r != nil {
			text += len(r.Name) + sizeOf(r.Response)
			for _, m := range r.Parts {
				if m.InlineData != nil {
					media += len(m.InlineData.Data)
				}
			}
		}
	}
	return text, media
}

// sizeOf estimates the size of a JSON value in bytes.
func sizeOf(v any) int {
	switch v := v.(type) {
	case map[string]any:
		n := 2
		for k, e := range v {
			n += len(k) + 4 + sizeOf(e)
		}
		return n
	case []any:
		n := 2
		for _, e := range v {
			n += 1 + sizeOf(e)
		}
		return n
	case string:
		return len(v) + 2
	}
	return 8
}

// ImageType returns the MIME type of an image that a response may contain. It detects the type from
// the data, because servers send wrong names such as image/jpg. It reports false for other data.
func ImageType(data []byte, said string) (string, bool) {
	found := http.DetectContentType(data)
	if !slices.Contains([]string{"image/png", "image/jpeg", "image/webp"}, found) {
		return said, false
	}
	if found == "image/webp" {
		return found, true
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	return found, err == nil && config.Width > 0 && config.Height > 0
}
