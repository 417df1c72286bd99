// Command simple is a server of the official Go SDK that runs from source.
package main

import (
	"context"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type sum struct {
	A int `json:"a" jsonschema:"first number"`
	B int `json:"b" jsonschema:"second number"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "simple", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "multiply", Description: "Multiply two numbers."},
		func(_ context.Context, _ *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, any, error) {
			return nil, map[string]int{"product": in.A * in.B}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "tell", Description: "Log a line."},
		func(ctx context.Context, req *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, any, error) {
			return nil, nil, req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: map[string]int{"a": in.A}})
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
