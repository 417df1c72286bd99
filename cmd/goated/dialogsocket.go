package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"goated/servers/pause/dialogsocket"
)

// dialogsDir returns the folder of the dialog socket. Bundled servers that run under other MCP clients
// ask the user there.
func dialogsDir(data string) string { return filepath.Join(data, "dialogs") }

// windowStart is how long a window may take to open the socket.
const windowStart = 20 * time.Second

// startWindow starts goated's window and waits until it opens the socket. The window continues after
// this process exits, until the user closes it.
func startWindow(ctx context.Context, o *options) error {
	if noWindow() != "" { // otherwise goated would start the terminal chat without a terminal
		return dialogsocket.NoWindowError{Built: hasWindow}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	window := exec.Command(self)
	if o.data != "" {
		window.Args = append(window.Args, "--data", o.dataDir())
	}
	window.Dir = "/" // not in the folder of the client's project
	if err := window.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- window.Wait() }()
	ctx, cancel := context.WithTimeout(ctx, windowStart)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if dialogsocket.Open(ctx, dialogsDir(o.dataDir())) { // if goated was killed, its address leads nowhere
			return nil
		}
		select {
		case err := <-ended:
			return fmt.Errorf("the window closed before it could ask: %w", errors.Join(err, dialogsocket.ErrClosed))
		case <-ctx.Done():
			return fmt.Errorf("the window did not open within %v: %w", windowStart, dialogsocket.ErrClosed)
		case <-tick.C:
		}
	}
}
