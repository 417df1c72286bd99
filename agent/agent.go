// Package agent runs a conversation: it sends the user's message to a model, runs
// the tools that the model calls, if the user allows it, and sends the results back
// until the model answers.
//
// [Session] owns the history of one conversation. [Gemini] is one of its
// models; [goated/agent/openai.Model] and [goated/agent/offline.Model] are others. The history
// consists of genai's types, so that every part goes back to the model as it came. Callers use genai only to pass parts.
//
// The package returns kinds with arguments ([Failure], [Cause], [Refusal]);
// internal/wording makes sentences for the user. It must not know of processes,
// windows or files.
package agent

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/registry"
)

// A Model generates the next content of a conversation, like genai's
// GenerateContentStream for one model. Each response has one candidate. Generate
// returns soon after ctx ends.
type Model interface {
	Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error]
}

// CanAnswer reports whether m has words of its own: it is not nil and does not need all tools, as
// [goated/agent/offline.Model] does.
func CanAnswer(m Model) bool {
	whole, ok := m.(interface{ NeedsAllTools() bool })
	return m != nil && !(ok && whole.NeedsAllTools())
}

// Tools are the tools that a session may call; [goated/client.Host] implements it.
// All methods are safe for concurrent use.
type Tools interface {
	// Tools yields all tools in a stable order.
	Tools() iter.Seq[registry.Entry]
	// Lookup finds a tool by its qualified name. The model gets the text of its
	// error.
	Lookup(name string) (registry.Entry, error)
	// CallEntry runs the tool that was looked up as e, and no other: it fails if the
	// server or the definition of the tool changed since then. If the tool itself
	// fails, CallEntry returns its result, with isError set, and an error. The model
	// gets the text of the error.
	// CallEntry passes the tool's progress and its log messages to report, which may be
	// nil and may block. A log message comes with the latest progress. CallEntry makes
	// one call of report at a time, and none after it has returned.
	CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error)
}

// A Waiter is [Tools] that may not be complete yet. Before its first request a turn waits
// until the sequence ends. It yields [ServersStarting] and [ServersMissing], and ends by
// itself after a bounded time, or when ctx ends.
type Waiter interface {
	Await(ctx context.Context) iter.Seq[Event]
}

// An Asker is [Tools] whose servers ask the user questions while calls run.
type Asker interface {
	// Answering returns a context for one call, and a function that tells how long the user has had
	// questions of that call open so far.
	Answering(ctx context.Context) (context.Context, func() time.Duration)
}

// A Question asks for the arguments of a tool.
type Question struct {
	Name        string // qualified
	Server      string
	Tool        string
	Description string
	Schema      any            // JSON schema of the arguments
	Args        map[string]any // the arguments that are known already
	// Choices are two or three tools to choose from, if the question is which tool to
	// call, or values for one argument. The answer is then {"tool": value}; Schema is a form
	// for the same.
	Choices []Choice
}

// A Choice is one answer of a [Question], for a button.
type Choice struct {
	Value  string
	Label  string // for people
	Detail string // where it is from
}

// Ask lets the user complete the arguments of a tool, and returns all of them. It
// blocks until the user has answered or ctx ends, and returns [ErrDeclined] if the
// user closes the form.
type Ask func(ctx context.Context, q Question) (map[string]any, error)

// ErrDeclined is the error of [Ask] when the user closes the form.
var ErrDeclined = errors.New("declined")

// ErrNothing is the error of a turn without anything to send, and of a summary without anything to
// summarise.
var ErrNothing = errors.New("there is nothing to send or to summarise")
