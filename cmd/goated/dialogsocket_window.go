//go:build !headless

package main

import (
	"fmt"
	"log/slog"
	"os"

	"goated/servers/pause/dialogsocket"
	"goated/ui"
)

// openDialogSocket opens the window's dialog socket. If that fails, it prints a warning and continues,
// because only programs other than goated use the socket.
func openDialogSocket(folder string, log *slog.Logger, dialogs *ui.Dialogs) (shut func()) {
	s, err := dialogsocket.Listen(dialogsocket.Options{Folder: folder, Ask: dialogs.AskDialog, Log: log})
	if err != nil {
		fmt.Fprintln(os.Stderr, "goated: other MCP clients can't show you dialogs: "+err.Error())
		return func() {}
	}
	return func() {
		dialogs.Close() // answers through the socket end with the window
		if err := s.Close(); err != nil {
			log.Warn("closing the dialog socket", "error", err)
		}
	}
}
