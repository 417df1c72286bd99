//go:build !headless

package main

import (
	"fmt"
	"log/slog"
	"os"

	"goated/servers/pause/door"
	"goated/ui"
)

// openDoor opens the window's dialog door. If that fails, it prints a warning and continues,
// because only programs other than goated use the door.
func openDoor(folder string, log *slog.Logger, dialogs *ui.Dialogs) (shut func()) {
	s, err := door.Listen(door.Options{Folder: folder, Ask: dialogs.AskDialog, Log: log})
	if err != nil {
		fmt.Fprintln(os.Stderr, "goated: other MCP clients can't show you dialogs: "+err.Error())
		return func() {}
	}
	return func() {
		dialogs.Close() // answers through the door end with the window
		if err := s.Close(); err != nil {
			log.Warn("closing the dialog door", "error", err)
		}
	}
}
