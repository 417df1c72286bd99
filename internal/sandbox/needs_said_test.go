package sandbox

import (
	"slices"
	"testing"
)

// A server could not write its log into the home folder and reported that on stderr, while its call
// failed because of a host that it named. goated asked the user for both.
func TestCallThatNamesItsHostAsksForNothingElse(t *testing.T) {
	host := Permission{Kind: ToHost, Host: "127.0.0.1:8080"}
	file := Permission{Kind: ToWriteFile, Path: "/home/ann/browser-server.log"}
	e := Evidence{
		Refused: []Permission{host, file}, Blocked: []Permission{host, file},
		Said: []string{"connect EACCES 127.0.0.1:8080"}, Text: []string{"Failed to write to browser-server.log", "connect EACCES 127.0.0.1:8080"},
	}
	if got := Needs(Policy{Network: NamedHosts}, e); !slices.Equal(got, []Permission{host}) {
		t.Errorf("the call asks for %v", got)
	}
	// The file is an argument, and the sandbox observed no attempt to open it. goated does not ask
	// for hosts of statistics.
	said := Evidence{
		Refused: []Permission{{Kind: ToHost, Host: "telemetry.test"}}, Blocked: []Permission{{Kind: ToHost, Host: "telemetry.test"}},
		Said: []string{"Cannot read file — permission denied (EACCES).", "Path: /srv/note.txt"}, Text: []string{"Cannot read file — permission denied (EACCES).", "Path: /srv/note.txt"}, Arguments: []string{"/srv/note.txt", "/srv/other.txt"},
	}
	if got := Needs(Policy{Network: NamedHosts}, said); !slices.Equal(got, []Permission{{Kind: ToRead, Path: "/srv/note.txt"}}) {
		t.Errorf("the call for a file asks for %v", got)
	}
	// A call that does not explain its failure may lack the file.
	e.Said = []string{"it failed"}
	if got := Needs(Policy{Network: NamedHosts}, e); !slices.Equal(got, []Permission{host, file}) {
		t.Errorf("the call asks for %v", got)
	}
}
