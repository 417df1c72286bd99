// Package pause is the MCP server "Claude Pause" (seed 004). With its six dialog tools, a model can
// ask the user instead of guessing. Its helper tools remember how often the user wants to be asked,
// and what they decided.
//
// It owns the tools, the preferences and the choice of the way to the user: an elicitation if the
// client supports it, and otherwise the dialog socket of a running goated. It must not know how a
// dialog looks, nor which client runs it.
package pause

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/state"
	"goated/servers/pause/dialog"
)

// Version is the version of the server.
const Version = "1.0.0"

// Options configure the server. The zero value is usable.
type Options struct {
	// Data is the folder of the preferences. If it is empty, that is goated/pause in the user's
	// data folder (XDG_DATA_HOME).
	Data string

	// Socket asks the user if the client cannot. If it is nil, only elicitation is available.
	Socket Asker

	// Log receives the server's log. If it is nil, the log goes to standard error.
	Log *slog.Logger
}

// An Asker shows a dialog to the user and waits for the answer. It has no timeout, because people
// take the time that they need. If ctx ends, the dialog closes. An Asker must be safe for
// concurrent use.
type Asker interface {
	Ask(ctx context.Context, caller dialog.Caller, question dialog.Question) (dialog.Answer, error)
}

type server struct {
	socket           Asker
	log              *slog.Logger
	folder           string
	preferences      *preferences
	progressInterval time.Duration // while the user thinks
}

// New returns the server.
func New(o Options) *mcp.Server {
	s := &server{socket: o.Socket, log: o.Log, progressInterval: 15 * time.Second}
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	if o.Data == "" {
		o.Data = filepath.Join(xdg.DataHome, "goated", "pause")
	}
	s.folder, _ = os.Getwd() // if this fails, the dialog shows only the program
	s.preferences = &preferences{file: state.File{Path: filepath.Join(o.Data, "preferences.json")}, log: s.log, now: time.Now}
	m := mcp.NewServer(&mcp.Implementation{Name: "pause", Title: "Pause", Version: Version}, &mcp.ServerOptions{
		Instructions: "Ask the user with these tools before you decide something that they would want to decide. " +
			"The user answers when they have time: never send a timeout, and never ask the same question again while one waits.",
	})
	s.addDialogs(m)
	s.addToolsWithoutDialog(m)
	m.AddReceivingMiddleware(jsonErrors) // applied around the middleware of the helpers
	return m
}
