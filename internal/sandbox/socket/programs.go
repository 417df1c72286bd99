package socket

import (
	"slices"
	"strings"
)

// known are parts of the names of sockets, and the programs that listen there.
var known = []struct{ part, program string }{
	{"/pulse", "the sound server"}, {"/pipewire", "the sound server"}, {"/.X11-unix/", "your display"},
}

// Programs names the programs behind some sockets for the user, each once. A program that it
// does not know has the name of its socket.
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
