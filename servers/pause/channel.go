package pause

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/pause/dialog"
)

// Extension is the capability with which a client declares that it shows the dialogs itself. The
// client finds the question in the _meta of the elicitation, under this name, and returns the
// [dialog.Answer] in the _meta of its result.
const Extension = "dev.goated/dialog"

// inputID is the id of a call's only input request.
const inputID = "answer"

// A channel is how a question reaches the user.
type channel int

const (
	nowhere channel = iota
	elicitation
	richElicitation
	socket
)

var errUnreachable = errors.New("the user cannot be reached")

// chooseChannel returns the way for a question. An elicitation cannot return files, so a screenshot uses
// the socket, unless the client shows the dialogs itself.
func chooseChannel(kind dialog.Kind, c *mcp.ClientCapabilities, hasSocket bool) channel {
	if c != nil && c.Elicitation != nil {
		if _, rich := c.Extensions[Extension]; rich {
			return richElicitation
		}
		// "For backwards compatibility, an empty capabilities object is equivalent to
		// declaring support for form mode only." (MCP 2025-11-25, Elicitation)
		if form := c.Elicitation.Form != nil || c.Elicitation.URL == nil; form && kind != dialog.KindScreenshot {
			return elicitation
		}
	}
	if hasSocket {
		return socket
	}
	return nowhere
}

// askSocket asks through the socket. It sends progress meanwhile, because a person is slower than
// most clients' timeouts.
func (s *server) askSocket(ctx context.Context, question dialog.Question, r *mcp.CallToolRequest) *mcp.CallToolResult {
	done := make(chan struct{})
	progressEnded := make(chan struct{})
	go func() {
		defer close(progressEnded)
		s.sendProgress(ctx, r, done)
	}()
	answer, err := s.socket.Ask(ctx, s.caller(r), question)
	close(done)
	<-progressEnded
	if err == nil {
		if err = question.Accept(answer); err == nil {
			return result(question, answer)
		}
	}
	s.log.Warn("asking the user", "tool", string(question.Kind()), "error", err)
	return failed(stopAndWait, err)
}

// sendProgress sends a progress notification from time to time, until done or ctx ends.
func (s *server) sendProgress(ctx context.Context, r *mcp.CallToolRequest, done <-chan struct{}) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return
	}
	tick := time.NewTicker(s.progressInterval)
	defer tick.Stop()
	for n := 1.0; ; n++ {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
			// If the client has disconnected, sending fails, and the call ends with its context.
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: "Waiting for the user"})
		}
	}
}

func (s *server) caller(r *mcp.CallToolRequest) dialog.Caller {
	c := dialog.Caller{Name: "an MCP client", Folder: s.folder}
	if p := r.Session.InitializeParams(); p != nil && p.ClientInfo != nil && p.ClientInfo.Name != "" {
		c.Name = p.ClientInfo.Name
	}
	return c
}
