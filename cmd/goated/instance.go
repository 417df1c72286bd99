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
)

// How long the second start waits for the first, and how much it may say.
const (
	knockWait = 3 * time.Second
	knockSize = 64 << 10
)

// A knock is what a second start tells the first.
type knock struct {
	Servers []string `json:"servers,omitempty"` // to be connected
	Env     []string `json:"env,omitempty"`     // of these, as NAME=value
}

// An instance is the one window of a data folder. It holds a lock as long as it
// lives, so a socket that a crash left behind is known to be nobody's.
type instance struct {
	lock     *flock.Flock
	listener net.Listener
	socket   string
}

// errRunning says that another goated has the data folder's window.
var errRunning = errors.New("goated is running already")

// claim makes this process the one with the window of dataDir, or is
// errRunning.
func claim(dataDir string) (*instance, error) {
	dir, name, err := meeting(dataDir)
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
	_ = os.Remove(in.socket) // stale: whoever made it has no lock any more
	// The folder is the user's alone, so nobody comes before the mode is set.
	if in.listener, err = net.Listen("unix", in.socket); err == nil {
		err = os.Chmod(in.socket, 0o600)
	}
	if err != nil {
		in.close()
		return nil, fmt.Errorf("listening for a second start: %w", err)
	}
	return in, nil
}

// meeting is where the starts of one data folder meet: in the folder that the
// system keeps for running programs of the user, or else in the data folder.
func meeting(dataDir string) (dir, name string, err error) {
	dir = dataDir
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" {
		dir = filepath.Join(run, "goated")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", fmt.Errorf("making a folder for the window's socket: %w", err)
	}
	sum := sha256.Sum256([]byte(dataDir))
	return dir, "window-" + hex.EncodeToString(sum[:6]), nil
}

// serve calls heard for each second start, until ctx ends. Then it gives up the
// claim.
func (in *instance) serve(ctx context.Context, heard func(knock)) {
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
			_ = conn.SetDeadline(time.Now().Add(knockWait))
			var k knock
			if json.NewDecoder(io.LimitReader(conn, knockSize)).Decode(&k) != nil {
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

// knockAt tells the goated that runs to come to the front, and to connect
// servers with env. One that is just starting may need a moment.
func knockAt(dataDir string, servers, env []string) error {
	dir, name, err := meeting(dataDir)
	if err != nil {
		return err
	}
	k := knock{Env: env}
	for _, path := range servers {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		k.Servers = append(k.Servers, path)
	}
	socket := filepath.Join(dir, name+".sock")
	for deadline := time.Now().Add(knockWait); ; time.Sleep(100 * time.Millisecond) {
		if err = tell(socket, k); err == nil || time.Now().After(deadline) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("goated is running, but does not answer: %w", err)
	}
	return nil
}

func tell(socket string, k knock) error {
	conn, err := net.DialTimeout("unix", socket, knockWait) //nolint:noctx // bounded
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(knockWait))
	if err := json.NewEncoder(conn).Encode(k); err != nil {
		return err
	}
	answer := make([]byte, 3)
	_, err = io.ReadFull(conn, answer)
	return err
}
