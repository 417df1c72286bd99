// Package asking brings the questions of a server to the user: forms, and pages to open.
//
// It owns the pages that the user has opened and the server has not yet confirmed. It must not
// know windows or terminals: its caller gives it a function that asks.
package asking

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/toolcall"
	"goated/internal/exact"
)

// An Ask asks the user one question.
type Ask func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)

// Capabilities are the kinds of questions that a user can answer. A server must not ask
// questions of other kinds.
func Capabilities() *mcp.ElicitationCapabilities {
	return &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
}

// Form asks the user a question of a server. A schema that came over the wire is hidden from
// the SDK, so Form applies its defaults and checks the answer in place of the SDK. ask gets
// it as a [json.RawMessage], whose members have the server's order.
func Form(ctx context.Context, p *mcp.ElicitParams, ask Ask) (*mcp.ElicitResult, error) {
	hidden, _ := p.RequestedSchema.(map[string]any)
	source := exact.Source(hidden)
	if source == nil {
		return ask(ctx, p)
	}
	asked, schema := *p, exact.Object(hidden)
	asked.RequestedSchema = source
	answer, err := ask(ctx, &asked)
	if err != nil || answer.Action != "accept" || answer.Content == nil {
		return answer, err
	}
	complete := *answer
	complete.Content = withDefaults(schema, answer.Content)
	if err := checkAnswer(schema, complete.Content); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	return &complete, nil
}

// withDefaults adds the defaults of a schema for members that are missing.
func withDefaults(schema, content map[string]any) map[string]any {
	content = maps.Clone(content)
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		property, _ := p.(map[string]any)
		if value, ok := property["default"]; ok {
			if _, given := content[name]; !given {
				content[name] = value
			}
		}
	}
	return content
}

// checkAnswer checks an answer against the schema of its question.
func checkAnswer(schema, content map[string]any) error {
	var s jsonschema.Schema
	var rounded map[string]any // jsonschema takes a json.Number for a text
	if err := errors.Join(toolcall.Remarshal(schema, &s), toolcall.Remarshal(content, &rounded)); err != nil {
		return fmt.Errorf("checking the answer: %w", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return fmt.Errorf("resolving the requested schema: %w", err)
	}
	if err := resolved.Validate(rounded); err != nil {
		return fmt.Errorf("the answer does not match the requested schema: %w", err)
	}
	return nil
}
