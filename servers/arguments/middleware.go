package arguments

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Middleware reports in sentences that the arguments of a call do not fit the schema of its tool,
// where the SDK would use the words of its library. The error is the text of the result and its
// [mcp.CallToolResult.GetError]. It works for typed tools, whose calls the SDK itself rejects,
// because only the SDK's own result has the result type that the protocol requires.
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
						res.Content = nil // SetError sets it only if it is nil
						res.SetError(wrong)
					}
					return out, err
				}
			}
			return next(ctx, method, req)
		}
	}
}
