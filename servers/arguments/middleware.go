package arguments

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Middleware answers calls whose arguments do not fit the schema of their tool, before the SDK
// does in the words of its library. The error is the result's text and its [mcp.CallToolResult.GetError].
func Middleware(tools ...*mcp.Tool) mcp.Middleware {
	schemas := make(map[string]*jsonschema.Schema, len(tools))
	for _, t := range tools {
		schemas[t.Name], _ = t.InputSchema.(*jsonschema.Schema)
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if call, ok := req.(*mcp.CallToolRequest); ok {
				if err := Check(schemas[call.Params.Name], call.Params.Arguments); err != nil {
					res := new(mcp.CallToolResult)
					res.SetError(err)
					return res, nil
				}
			}
			return next(ctx, method, req)
		}
	}
}
