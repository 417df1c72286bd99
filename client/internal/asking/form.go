// Package asking shows a server's questions to the user: forms, and pages to open.
//
// It owns the list of pages that the user has opened and the server has not yet confirmed. It must
// not know windows or terminals: its caller passes a function that asks.
package asking

import (
	"context"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/internal/schemacheck"
)

// An Ask asks the user one question.
type Ask func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error)

// Capabilities are the kinds of questions that the user can answer. A server must not ask other
// kinds.
func Capabilities() *mcp.ElicitationCapabilities {
	return &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
}

// AskForm asks the user a server's question. It hides a schema that came over the wire from the SDK,
// so it applies the defaults and checks the answer itself. ask gets the schema as a
// [json.RawMessage], which keeps the server's order of members. A schema with an escaped member
// name cannot be hidden. AskForm refuses it, because the SDK would check the answer, and a schema that
// refers to itself would crash the process there.
func AskForm(ctx context.Context, p *mcp.ElicitParams, ask Ask) (*mcp.ElicitResult, error) {
	hidden, _ := p.RequestedSchema.(map[string]any)
	source := exact.Source(hidden)
	if source == nil || len(hidden) > 1 {
		if hidden != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the requested schema cannot be read: write requestedSchema without escapes, in the params of elicitation/create"}
		}
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
	if err := schemacheck.New(schema).Check(complete.Content); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the answer does not match the requested schema: " + err.Error()}
	}
	return &complete, nil
}

// withDefaults adds the schema's defaults for missing members.
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
