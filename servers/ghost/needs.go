package ghost

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// Reads are the paths, beside the project, that the tools read where the
// options are the defaults: for whoever runs the server in a sandbox.
func Reads() []string {
	return []string{
		filepath.Join(xdg.DataHome, "sounds"),
		filepath.Join(xdg.ConfigHome, "pulse"), // the key to the sound server
		filepath.Join(xdg.RuntimeDir, "pulse"),
	}
}

// Writes are the folders, beside the memory's, that the tools write.
func Writes() []string {
	return []string{filepath.Join(xdg.CacheHome, "clippy-ghost")}
}

// Desktop is written as Writes are. Where there is none, it is not to be made for
// a note that may never be written; the tool says what to do then.
func Desktop() []string { return []string{xdg.UserDirs.Desktop} }
