package adding

import (
	"fmt"
	"io"

	"goated/client"
	"goated/ui/view"
)

// Restart calls restart to restart a server, and prints the progress. installs means that the
// server then installs its packages. sentence returns the text of an error.
func Restart(w io.Writer, h *client.Host, s client.Asker, installs bool, restart func() error, sentence func(error) string) {
	installed := Packages(w, s.Name, installs)
	err := restart()
	if installed(err); err != nil {
		fmt.Fprintln(w, sentence(err))
		return
	}
	for _, now := range h.Snapshot().Servers {
		if now.ID == s.ID {
			fmt.Fprintf(w, "%s is available now\n", view.ServerLabel(now))
		}
	}
}
