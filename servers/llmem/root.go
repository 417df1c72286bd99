package llmem

import (
	"os"
	"path/filepath"

	"goated/internal/paths"
)

// Writes returns the folders to which the server needs write access for a workspace.
func Writes(root string) []string {
	if paths.NoProject(root) != "" {
		return nil
	}
	return []string{filepath.Join(root, ".artifacts")}
}

// Project returns the working directory if it can be a workspace, otherwise "".
func Project() string {
	dir, err := os.Getwd()
	if err != nil || paths.NoProject(dir) != "" {
		return ""
	}
	return dir
}

// noWorkspace is the error for a folder that cannot be a workspace.
func noWorkspace(why string) error {
	return &failure{codeInvalid, "no_workspace", why, paths.ChooseProject("llmem") + "."}
}
