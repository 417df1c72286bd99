package servers_test

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers"
)

// A bundled server runs over any transport of the SDK, here over one in memory. It writes its log
// to standard error.
func Example() {
	dir, err := os.MkdirTemp("", "goated-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := run(context.Background(), servers.Options{Root: dir, Data: dir}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// forget_fact
	// haunt_desktop
	// manage_memory
	// play_system_sound
	// read_project_context
	// Memory value for tea: green
}

func run(ctx context.Context, o servers.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	ours, theirs := mcp.NewInMemoryTransports()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = servers.All()[0].New(o).Run(ctx, theirs) // returns when ctx ends
	}()
	defer func() { cancel(); <-ended }()

	client := mcp.NewClient(&mcp.Implementation{Name: "example"}, nil)
	session, err := client.Connect(ctx, ours, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		fmt.Println(tool.Name)
	}
	for _, args := range []map[string]any{
		{"action": "write", "key": "tea", "value": "green"},
		{"action": "read", "key": "tea"},
	} {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "manage_memory", Arguments: args})
		if err != nil {
			return err
		}
		if args["action"] == "read" {
			fmt.Println(result.Content[0].(*mcp.TextContent).Text)
		}
	}
	return nil
}
