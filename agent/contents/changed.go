package contents

import (
	"slices"

	"google.golang.org/genai"
)

// WithoutResults returns a copy of responses to calls in which a note replaces each result. The
// note tells the model that the provider blocked the result.
func WithoutResults(c *genai.Content) *genai.Content {
	return WithResponses(c, func(r *genai.FunctionResponse) *genai.FunctionResponse {
		return &genai.FunctionResponse{ID: r.ID, Name: r.Name, Response: map[string]any{"output": "[removed: the provider of the model blocked this result]"}}
	})
}

// WithResponses returns a copy of c with each response changed.
func WithResponses(c *genai.Content, change func(*genai.FunctionResponse) *genai.FunctionResponse) *genai.Content {
	out := &genai.Content{Role: c.Role, Parts: slices.Clone(c.Parts)}
	for i, p := range out.Parts {
		if p.FunctionResponse != nil {
			part := *p
			part.FunctionResponse = change(p.FunctionResponse)
			out.Parts[i] = &part
		}
	}
	return out
}

// HasMedia reports whether a part has images or files.
func HasMedia(p *genai.Part) bool { return len(MediaOf(p)) > 0 }

// MediaOf returns the MIME types of the images and files in a part.
func MediaOf(p *genai.Part) []string {
	var types []string
	if p.InlineData != nil {
		types = append(types, p.InlineData.MIMEType)
	}
	if p.FileData != nil {
		types = append(types, p.FileData.MIMEType)
	}
	if p.FunctionResponse != nil {
		for _, m := range p.FunctionResponse.Parts {
			if m.InlineData != nil {
				types = append(types, m.InlineData.MIMEType)
			}
		}
	}
	return types
}
