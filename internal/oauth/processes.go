package oauth

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// alone keeps other processes from refreshing the tokens of this server until end, which must be
// called. Without a folder for locks it does nothing. Nor does it wait for longer than a request may
// take: a process that hangs costs a refresh that may fail, and no more.
func (c *Client) alone(ctx context.Context) (end func()) {
	dir := c.authority.o.Locks
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return func() {}
	}
	ctx, stop := context.WithTimeout(ctx, requestLimit)
	defer stop()
	l := flock.New(filepath.Join(dir, c.ref+".lock"), flock.SetPermissions(0o600))
	_, _ = l.TryLockContext(ctx, 50*time.Millisecond)
	return func() { _ = l.Close() } // the file stays: others may have it open and wait
}
