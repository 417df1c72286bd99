package socket

import (
	"slices"
	"strings"
)

// known maps parts of socket names to the programs that listen there.
var known = []struct{ part, program string }{
	{"/pulse", "the sound server"}, {"/pipewire", "the sound server"}, {"/.X11-unix/", "your display"},
}

// Programs names the programs behind some sockets for the user, without duplicates. For an unknown
// program it returns the name of the socket.
func Programs(sockets []string) (out []string) {
	for _, name := range sockets {
		for _, k := range known {
			if strings.Contains(name, k.part) {
				name = k.program
				break
			}
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
