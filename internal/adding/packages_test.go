package adding

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Packages announces a long installation and its end. It prints nothing for a short one or for
// none, and nothing about the end of a failed one.
func TestPackages(t *testing.T) {
	for _, c := range []struct {
		some bool
		took time.Duration
		err  error
		want string
	}{
		{true, 75 * time.Second, nil, "git installs its packages. The first start can take a few minutes.\ngit is installed, after 1m15s.\n"},
		{true, 75 * time.Second, errors.New("no"), "git installs its packages. The first start can take a few minutes.\n"},
		{true, 300 * time.Millisecond, nil, ""},
		{false, 75 * time.Second, nil, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			started := Packages(&out, "git", c.some)
			time.Sleep(c.took)
			synctest.Wait()
			if started(c.err); out.String() != c.want {
				t.Errorf("%+v says %q", c, out.String())
			}
		})
	}
}
