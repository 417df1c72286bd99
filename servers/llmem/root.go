package llmem

import (
	"os"
	"path/filepath"
)

// Writes returns the folders that the server needs to write for a workspace.
func Writes(root string) []string {
	if unfit(root) {
		return nil
	}
	return []string{filepath.Join(root, ".artifacts")}
}

// Project returns the working directory if it can be a workspace; empty if not.
func Project() string {
	dir, err := os.Getwd()
	if err != nil || unfit(dir) {
		return ""
	}
	return dir
}

// unfit reports whether a folder is not a workspace: the home folder or the root of the file
// system, where a program starts that the user did not start in a project.
func unfit(root string) bool {
	root = filepath.Clean(root)
	if root == filepath.Dir(root) {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if root == filepath.Clean(home) {
		return true
	}
	a, errA := os.Stat(root)
	b, errB := os.Stat(home)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

var errRoot = &failure{codeInvalid, "no_workspace", "the working directory is your home folder, not a project", "Start goated in the folder of a project, or pass --root to goated serve llmem."}
