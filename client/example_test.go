package client_test

import (
	"context"
	"fmt"
	"log"

	"goated/client"
)

// The extension of a path decides which program runs it. Command starts nothing.
func ExampleCommand() {
	launch, err := client.Command("tools/notes.js")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(launch.Programs, launch.Args)
	_, err = client.Command("tools/notes.rb")
	fmt.Println(err)
	// Output:
	// [node] [tools/notes.js]
	// Invalid server script type. Must be .py, .js or .go
}

// A failed connection is an *Error of a kind, with a sentence for the user.
func ExampleHost_Connect() {
	host := client.New(client.Options{})
	defer host.Close()
	_, err := host.Connect(context.Background(), client.Config{Path: "/no/such/server.py"})
	fmt.Println(err)
	fmt.Println(len(host.Snapshot().Servers), "servers")
	// Output:
	// Server script not found: /no/such/server.py
	// 0 servers
}
