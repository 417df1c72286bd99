package launch_test

import (
	"fmt"

	"goated/internal/launch"
)

// Understand turns a line of a README into a server with its program, its arguments, and the variables
// that it needs.
func ExampleUnderstand() {
	reading, err := launch.Understand("API_KEY=secret npx -y @acme/mcp-weather --units metric", launch.System{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range reading.Servers {
		fmt.Println(s.Name, s.Command, s.Args, s.Env[0].Name)
	}
	// Output:
	// weather npx [-y @acme/mcp-weather --units metric] API_KEY
}
