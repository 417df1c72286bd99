package geminitest

import (
	"encoding/json"
	"net/http"

	"google.golang.org/genai"
)

// Request is one request as it arrived.
type Request struct {
	// Method is streamGenerateContent, generateContent, countTokens,
	// models.list or models.get.
	Method string
	Model  string // without "models/"
	Header http.Header
	Body   []byte // the JSON as sent

	// Refusal is the message the request was refused with, or empty.
	Refusal string

	// The decoded body; empty for a request refused for its JSON.
	Contents          []*genai.Content
	SystemInstruction *genai.Content
	Tools             []*genai.Tool
	ToolConfig        *genai.ToolConfig
	GenerationConfig  *genai.GenerationConfig
}

// decode fills in the fields that stem from the body. It is known to be sound;
// the numbers in it that are quoted, which the types of genai do not read, are
// left out.
func (req *Request) decode() {
	var body struct {
		Contents          []*genai.Content
		SystemInstruction *genai.Content
		Tools             []*genai.Tool
		ToolConfig        *genai.ToolConfig
		GenerationConfig  *genai.GenerationConfig
	}
	_ = json.Unmarshal(req.Body, &body)
	req.Contents = body.Contents
	req.SystemInstruction = body.SystemInstruction
	req.Tools = body.Tools
	req.ToolConfig = body.ToolConfig
	req.GenerationConfig = body.GenerationConfig
}
