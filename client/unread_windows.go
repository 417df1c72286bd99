package client

import "os"

// unread is false: the system does not tell of a pipe that nobody reads before
// one writes to it.
func unread(*os.File) bool { return false }
