package adding

import (
	"fmt"
	"io"
	"time"
)

// packagesWait is how long a start takes before Packages prints a message.
const packagesWait = time.Second

// Packages prints that a server is installing its packages if that takes longer than a moment,
// because it may take minutes. Call started at the end: it prints how long the installation took,
// unless it failed. If some is false, there are no packages to install, and Packages prints
// nothing.
func Packages(w io.Writer, server string, some bool) (started func(error)) {
	if !some {
		return func(error) {}
	}
	began, said := time.Now(), make(chan struct{})
	timer := time.AfterFunc(packagesWait, func() {
		fmt.Fprintf(w, "%s installs its packages. The first start can take a few minutes.\n", server)
		close(said)
	})
	return func(err error) {
		if timer.Stop() {
			return
		}
		if <-said; err == nil {
			fmt.Fprintf(w, "%s is installed, after %s.\n", server, max(time.Since(began).Round(time.Second), time.Second))
		}
	}
}
