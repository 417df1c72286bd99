package main

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

	"goated/internal/config"
)

// Limits of the talk between a second start and the first.
const (
	handoverWait = 3 * time.Second
	handoverSize = 64 << 10
)

// A handover is the request of a second start to the first.
type handover struct {
	Servers []config.Launch `json:"servers,omitempty"` // to connect, with the values of their variables
	Edit    *edit           `json:"edit,omitempty"`    // of the saved servers; the window stays where it is
}

// An instance is the one window of a data folder. It holds a lock while it runs,
// so a socket without a lock is left over from a crash.
type instance struct {
	lock     *flock.Flock
	listener net.Listener
	socket   string
}

// errRunning means that another goated shows the data folder's window.
var errRunning = errors.New("goated is already running")

// claim makes this process the instance of dataDir, or returns errRunning.
func claim(dataDir string) (*instance, error) {
	dir, name, err := rendezvous(dataDir)
	if err != nil {
		return nil, err
	}
	in := &instance{lock: flock.New(filepath.Join(dir, name+".lock")), socket: filepath.Join(dir, name+".sock")}
	switch got, err := in.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("locking %s: %w", in.lock.Path(), err)
	case !got:
		return nil, errRunning
	}
	_ = os.Remove(in.socket) // stale: its process no longer holds the lock
	// Only the user can enter the folder, so no other user connects before the mode is set.
	if in.listener, err = net.Listen("unix", in.socket); err == nil {
		err = os.Chmod(in.socket, 0o600)
	}
	if err != nil {
		in.close()
		return nil, fmt.Errorf("listening for a second start: %w", err)
	}
	return in, nil
}

// rendezvous returns the folder and the name of the lock and the socket of one data
// folder: in the user's runtime folder, or else in the data folder.
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

// serve calls heard for each second start until ctx ends, then releases the lock.
func (in *instance) serve(ctx context.Context, heard func(handover)) {
	var group sync.WaitGroup
	defer group.Wait()
	defer in.close()
	defer context.AfterFunc(ctx, func() { _ = in.listener.Close() })()
	for {
		conn, err := in.listener.Accept()
		if err != nil {
			return
		}
		group.Go(func() {
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(handoverWait))
			var k handover
			if json.NewDecoder(io.LimitReader(conn, handoverSize)).Decode(&k) != nil {
				return
			}
			heard(k)
			_, _ = io.WriteString(conn, "ok\n")
		})
	}
}

func (in *instance) close() {
	if in.listener != nil {
		_ = in.listener.Close() // which removes the socket
	}
	_ = in.lock.Unlock()
}

// handOver sends a request to the running goated. It retries for handoverWait, because the other may still be starting.
func handOver(dataDir string, k handover) error {
	dir, name, err := rendezvous(dataDir)
	if err != nil {
		return err
	}
	socket := filepath.Join(dir, name+".sock")
	for deadline := time.Now().Add(handoverWait); ; time.Sleep(100 * time.Millisecond) {
		if err = tell(socket, k); err == nil || time.Now().After(deadline) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("goated is running but does not answer: %w", err)
	}
	return nil
}

func tell(socket string, k handover) error {
	conn, err := net.DialTimeout("unix", socket, handoverWait) //nolint:noctx // bounded
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(handoverWait))
	if err := json.NewEncoder(conn).Encode(k); err != nil {
		return err
	}
	answer := make([]byte, 3)
	_, err = io.ReadFull(conn, answer)
	return err
}
