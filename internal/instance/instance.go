// Package instance makes one process the window of a data folder, and passes the requests of later
// starts to it. It owns the lock and the socket. It must not know the contents of the requests.
package instance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// These are the limits of a request.
const (
	maxWait = 3 * time.Second
	maxSize = 64 << 10
)

// An Instance is the only window of a data folder. It holds a lock while it runs, so a socket
// without a lock is left over from a crash.
type Instance struct {
	lock     *flock.Flock
	listener net.Listener
	socket   string
}

// ErrRunning means that another goated process already shows the window of the data folder.
var ErrRunning = errors.New("goated is already running")

// Claim makes this process the instance of dataDir, or returns ErrRunning.
func Claim(dataDir string) (*Instance, error) {
	dir, name, err := rendezvous(dataDir)
	if err != nil {
		return nil, err
	}
	in := &Instance{lock: flock.New(filepath.Join(dir, name+".lock")), socket: filepath.Join(dir, name+".sock")}
	switch got, err := in.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("locking %s: %w", in.lock.Path(), err)
	case !got:
		return nil, ErrRunning
	}
	_ = os.Remove(in.socket) // stale, because its process no longer holds the lock
	// Only the user can enter the folder, so nobody else can connect before the mode is set.
	if in.listener, err = net.Listen("unix", in.socket); err == nil {
		err = os.Chmod(in.socket, 0o600)
	}
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("listening for a second start: %w", err)
	}
	return in, nil
}

// rendezvous returns the folder and the name of the lock and the socket for a data folder. They are
// in the user's runtime folder, or in the data folder if there is none.
func rendezvous(dataDir string) (dir, name string, err error) {
	dir = dataDir
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" {
		dir = filepath.Join(run, "goated")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", fmt.Errorf("creating the folder of the window's socket: %w", err)
	}
	sum := sha256.Sum256([]byte(dataDir))
	return dir, "window-" + hex.EncodeToString(sum[:6]), nil
}

// Serve calls heard with the request of each later start until ctx ends. Then it releases the lock.
func Serve[Request any](ctx context.Context, in *Instance, heard func(Request)) {
	var group sync.WaitGroup
	defer group.Wait()
	defer in.Close()
	defer context.AfterFunc(ctx, func() { _ = in.listener.Close() })()
	for {
		conn, err := in.listener.Accept()
		if err != nil {
			return
		}
		group.Go(func() {
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(maxWait))
			var r Request
			if json.NewDecoder(io.LimitReader(conn, maxSize)).Decode(&r) != nil {
				return
			}
			heard(r)
			_, _ = io.WriteString(conn, "ok\n")
		})
	}
}

// Close releases the lock and removes the socket.
func (in *Instance) Close() {
	if in.listener != nil {
		_ = in.listener.Close() // this also removes the socket
	}
	_ = in.lock.Unlock()
}

// Send sends a request to the running goated. It retries for maxWait, because the other process may
// still be starting.
func Send(dataDir string, request any) error {
	dir, name, err := rendezvous(dataDir)
	if err != nil {
		return err
	}
	socket := filepath.Join(dir, name+".sock")
	for deadline := time.Now().Add(maxWait); ; time.Sleep(100 * time.Millisecond) {
		if err = tell(socket, request); err == nil || time.Now().After(deadline) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("goated is running but does not answer: %w", err)
	}
	return nil
}

func tell(socket string, request any) error {
	conn, err := net.DialTimeout("unix", socket, maxWait) //nolint:noctx // bounded
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(maxWait))
	if err := json.NewEncoder(conn).Encode(request); err != nil {
		return err
	}
	answer := make([]byte, 3)
	_, err = io.ReadFull(conn, answer)
	return err
}
