package paths

import (
	"os"
	"path/filepath"
)

// NoProject returns the reason why a folder is not a project: it is the root of the file system or
// the home folder, where a program starts if the user did not start it in a project. It returns ""
// for other folders.
func NoProject(dir string) string {
	dir = filepath.Clean(dir)
	if dir == filepath.Dir(dir) && filepath.IsAbs(dir) {
		return "the root of the file system is not a project"
	}
	const itIsHome = "your home folder is not a project"
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if dir == filepath.Clean(home) {
		return itIsHome
	}
	a, errA := os.Stat(dir)
	b, errB := os.Stat(home)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return itIsHome
	}
	return ""
}

// ChooseProject explains how to give a bundled server a project. Its text is for the user of the
// window and for the model. The model may have no project because another client started its
// server.
func ChooseProject(server string) string {
	return "In goated's window, choose a folder in Settings > Data > Folder to work in, then start goated again. In a terminal, start goated in the folder of a project. " +
		"Another client passes that folder with --root to goated serve " + server
}
