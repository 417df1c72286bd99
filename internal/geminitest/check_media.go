package geminitest

import (
	"fmt"
	"slices"
	"strings"
)

// checkMedia requires inline data that is not empty and has a type that the models accept:
// "Unsupported MIME type: image/jpg"
// (github.com/brianpetro/obsidian-smart-connections/issues/1238). The types are those of
// ai.google.dev/gemini-api/docs/image-understanding, audio, video-understanding and
// document-processing, and for responses those of function-calling. Only "Gemini 3 series models"
// accept multimodal responses (the same page, Multimodal function responses). Others answer
// "`function_response.parts` is not supported for this model".
func checkMedia(req *generateRequest) *failure {
	for i, c := range req.Contents {
		for j, p := range c.Parts {
			at := fmt.Sprintf("contents[%d].parts[%d]", i, j)
			if f := checkBlob(at, p.InlineData, readable); f != nil {
				return f
			}
			if p.FunctionResponse == nil {
				continue
			}
			if len(p.FunctionResponse.Parts) > 0 && strings.HasPrefix(req.Model, "gemini-2") {
				return invalid("Unable to submit request because `function_response.parts` is not supported for this model.")
			}
			for k, extra := range p.FunctionResponse.Parts {
				if f := checkBlob(fmt.Sprintf("%s.function_response.parts[%d]", at, k), extra.InlineData, returnable); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

func checkBlob(at string, b *blob, supported func(string) bool) *failure {
	switch {
	case b == nil:
		return nil
	case b.MIMEType == "":
		return invalidField(at+".inline_data.mime_type", "mime_type is not specified")
	case !supported(b.MIMEType):
		return invalid("Unsupported MIME type: %s", b.MIMEType)
	case len(b.Data) == 0:
		return invalidField(at+".inline_data.data", "data is empty")
	}
	return nil
}

// readable reports whether a message may contain inline data of the type.
func readable(mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.HasPrefix(mime, "text/") || slices.Contains([]string{
		"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif",
		"audio/wav", "audio/mp3", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac",
		"video/mp4", "video/mpeg", "video/mov", "video/avi", "video/x-flv", "video/mpg", "video/webm", "video/wmv", "video/3gpp",
		"application/pdf", "application/json", "application/rtf", "application/x-javascript", "application/x-python",
	}, mime)
}

// returnable reports whether a function response may contain inline data of the type.
func returnable(mime string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"}, mime)
}
