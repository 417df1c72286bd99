package geminitest

import (
	"encoding/json"
	"net/http"

	"google.golang.org/genai"
)

// Request is one request as the server received it.
type Request struct {
	// Method is streamGenerateContent, generateContent, countTokens,
	// models.list or models.get.
	Method string
	Model  string // without "models/"
	Header http.Header
	Body   []byte // the JSON as sent

	// Refusal is the message of the refusal, or empty if the server accepted the request.
	Refusal string

	// The decoded body; empty if the server refused its JSON.
	Contents          []*genai.Content
	SystemInstruction *genai.Content
	Tools             []*genai.Tool
	ToolConfig        *genai.ToolConfig
	GenerationConfig  *genai.GenerationConfig
}

// decode sets the fields from a valid body. It omits quoted numbers, which genai's types cannot
// decode.
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
