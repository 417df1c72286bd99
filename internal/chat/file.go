package chat

import (
	"google.golang.org/genai"

	"goated/internal/attachedfile"
)

// FilePart returns the part of a message with a file. A file of the type text/plain is a text for
// the model; other types are data.
func FilePart(name, mime string, data []byte) *genai.Part {
	if mime == "text/plain" {
		return genai.NewPartFromText(attachedfile.Format(name, string(data)))
	}
	part := genai.NewPartFromBytes(data, mime)
	part.InlineData.DisplayName = name // for the history, not for the model
	return part
}
