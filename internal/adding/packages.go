package adding

import (
	"fmt"
	"io"
	"time"
)

// packagesWait is how long a start takes that is worth words.
const packagesWait = time.Second

// Packages says that a server installs its packages, if that takes longer than a moment: it
// may take minutes. Started says how long it took. A failure has words of its own. Without
// some, it says nothing.
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
