package environ_test

import (
	"fmt"

	"goated/client/internal/environ"
)

// A server gets a small part of the host's environment, plus the variables that the user adds.
func ExampleInherited() {
	env := []string{"HOME=/home/ada", "GEMINI_API_KEY=secret", "LANG=C.UTF-8"}
	fmt.Println(environ.Inherited(env, "node", []string{"NOTES=/tmp/notes"}))
	// Output: [HOME=/home/ada LANG=C.UTF-8 NOTES=/tmp/notes]
}
