package ghost

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// Reads returns the paths outside the project that the tools read with the default options. The
// server's sandbox needs them.
func Reads() []string {
	return []string{
		filepath.Join(xdg.DataHome, "sounds"),
		filepath.Join(xdg.ConfigHome, "pulse"), // contains the cookie of the sound server
		filepath.Join(xdg.RuntimeDir, "pulse"),
	}
}

// Writes returns the folders, other than the memory's, that the tools write.
func Writes() []string {
	return []string{filepath.Join(xdg.CacheHome, "clippy-ghost")}
}

// Desktop returns the desktop directory, which a tool writes. In a sandbox, the directory must
// exist when the server starts.
func Desktop() string { return xdg.UserDirs.Desktop }
