package agent

import (
	"slices"

	"google.golang.org/genai"

	"goated/agent/contents"
	"goated/internal/lazyregexp"
)

// textResponses matches the models that accept no images in function responses: those before Gemini
// 3 (ai.google.dev/gemini-api/docs/function-calling, Multimodal function responses).
var textResponses = lazyregexp.New(`^(models/)?(gemini-[12]([.-]|$)|gemini-pro(-vision)?$|gemma)`)

// besideResponses moves the images of function responses into a separate content that follows the
// responses. It does not change history.
func besideResponses(history []*genai.Content) []*genai.Content {
	var out []*genai.Content
	for i, c := range history {
		var images []*genai.Part
		for _, p := range c.Parts {
			if p.FunctionResponse == nil {
				continue
			}
			for _, m := range p.FunctionResponse.Parts {
				if m.InlineData != nil {
					images = append(images, genai.NewPartFromBytes(m.InlineData.Data, m.InlineData.MIMEType))
				}
			}
		}
		switch {
		case len(images) == 0 && out == nil:
		case len(images) == 0:
			out = append(out, c)
		default:
			if out == nil {
				out = slices.Clone(history[:i])
			}
			bare := contents.WithResponses(c, func(r *genai.FunctionResponse) *genai.FunctionResponse {
				text := *r
				text.Parts = nil
				return &text
			})
			out = append(out, bare, &genai.Content{Role: genai.RoleUser, Parts: images})
		}
	}
	if out == nil {
		return history
	}
	return out
}
