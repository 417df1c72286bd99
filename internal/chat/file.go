package chat

import (
	"google.golang.org/genai"

	"goated/internal/attachedfile"
)

// FilePart returns a part of a message that contains a file. A file of type text/plain becomes text
// for the model; other types become data.
func FilePart(name, mime string, data []byte) *genai.Part {
	if mime == "text/plain" {
		return genai.NewPartFromText(attachedfile.Format(name, string(data)))
	}
	part := genai.NewPartFromBytes(data, mime)
	part.InlineData.DisplayName = name // only for the history, not for the model
	return part
}
