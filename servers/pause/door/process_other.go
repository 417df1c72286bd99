//go:build !linux && !darwin

package door

// peer returns the process that connected a socket; 0: this system does not say.
func peer(int) int { return 0 }

func exists(int) bool { return true }
