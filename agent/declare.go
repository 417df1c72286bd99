package agent

import (
	"iter"
	"strings"

	"google.golang.org/genai"

	"goated/registry"
)

// maxDescription is the largest description of a tool that goes to the model, in
// bytes.
const maxDescription = 4096

// declare returns the function declarations of the tools.
func declare(tools iter.Seq[registry.Entry]) []*genai.FunctionDeclaration {
	var out []*genai.FunctionDeclaration
	for e := range tools {
		description := e.Tool.Description
		if description == "" {
			description = e.Tool.Title
		}
		if len(description) > maxDescription {
			description = strings.ToValidUTF8(description[:maxDescription], "") + "…"
		}
		out = append(out, &genai.FunctionDeclaration{
			Name:                 e.Name,
			Description:          description,
			ParametersJsonSchema: parameters(e.Tool.InputSchema),
		})
	}
	return out
}
