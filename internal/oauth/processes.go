package oauth

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// alone keeps other processes from refreshing the tokens of this server until the caller calls end.
// It does nothing without a folder for lock files. It waits no longer than a request may take: if
// another process hangs, the worst result is a failed refresh.
func (c *Client) alone(ctx context.Context) (end func()) {
	dir := c.authority.o.Locks
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return func() {}
	}
	ctx, stop := context.WithTimeout(ctx, requestLimit)
	defer stop()
	l := flock.New(filepath.Join(dir, c.ref+".lock"), flock.SetPermissions(0o600))
	_, _ = l.TryLockContext(ctx, 50*time.Millisecond)
	return func() { _ = l.Close() } // the file stays, because other processes may have it open and wait for it
}
