package safetext_test

import (
	"fmt"

	"goated/internal/safetext"
)

// A server's title shows the characters that would reverse the order of its words.
func ExampleName() {
	fmt.Println(safetext.Name("Save \u202egnp.exe"))
	// Output:
	// Save ⟨U+202E⟩gnp.exe
}
