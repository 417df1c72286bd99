// Package paths answers questions about paths that the whole program asks.
package paths

import "path/filepath"

// Within reports whether path is dir or is inside it. It compares names and follows no links.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
