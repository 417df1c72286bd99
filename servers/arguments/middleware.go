package arguments

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Middleware answers calls whose arguments do not fit the schema of their tool in sentences, where the
// SDK has the words of its library. The error is the result's text and its [mcp.CallToolResult.GetError].
// The tools are typed ones, whose calls the SDK refuses: only its own result has the type of a result that
// the protocol requires.
func Middleware(tools ...*mcp.Tool) mcp.Middleware {
	schemas := make(map[string]*jsonschema.Schema, len(tools))
	for _, t := range tools {
		schemas[t.Name], _ = t.InputSchema.(*jsonschema.Schema)
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if call, ok := req.(*mcp.CallToolRequest); ok {
				if wrong := Check(schemas[call.Params.Name], call.Params.Arguments); wrong != nil {
					out, err := next(ctx, method, req)
					if res, ok := out.(*mcp.CallToolResult); ok && err == nil && res.IsError {
						res.Content = nil // so that SetError sets it
						res.SetError(wrong)
					}
					return out, err
				}
			}
			return next(ctx, method, req)
		}
	}
}
