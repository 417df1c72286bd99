// Package pause is the MCP server "Claude Pause" (seed 004). Its six dialog tools let
// a model ask the user instead of guessing; its helper tools remember how often the
// user wants to be asked and what they decided.
//
// It owns the tools, the preferences and the choice of the way to the user: an
// elicitation where the client supports it, else the dialog door of a running goated.
// It must not know how a dialog looks, nor of the client that runs it.
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
	// Data is the folder of the preferences. "" is goated/pause in the user's
	// folder for data (XDG_DATA_HOME).
	Data string

	// Door asks the user where the client cannot. nil: only elicitation is available.
	Door Asker

	// Log gets the server's log. nil is standard error.
	Log *slog.Logger
}

// An Asker shows a dialog to the user and waits for the answer, without a timeout of
// its own: a person takes the time that they need. If ctx ends, the dialog closes. It
// must be safe for concurrent use.
type Asker interface {
	Ask(ctx context.Context, caller dialog.Caller, question dialog.Question) (dialog.Answer, error)
}

type server struct {
	door        Asker
	log         *slog.Logger
	folder      string
	preferences *preferences
	beat        time.Duration // between two progress notifications while the user thinks
}

// New returns the server.
func New(o Options) *mcp.Server {
	s := &server{door: o.Door, log: o.Log, beat: 15 * time.Second}
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	if o.Data == "" {
		o.Data = filepath.Join(xdg.DataHome, "goated", "pause")
	}
	s.folder, _ = os.Getwd() // without it the dialog names the program alone
	s.preferences = &preferences{file: state.File{Path: filepath.Join(o.Data, "preferences.json")}, log: s.log, now: time.Now}
	m := mcp.NewServer(&mcp.Implementation{Name: "pause", Title: "Pause", Version: Version}, &mcp.ServerOptions{
		Instructions: "Ask the user with these tools before you decide something that they would want to decide. " +
			"The user answers when they have time: never send a timeout, and never ask the same question again while one waits.",
	})
	s.addDialogs(m)
	s.addHelpers(m)
	m.AddReceivingMiddleware(asJSON) // around the one of the helpers
	return m
}
