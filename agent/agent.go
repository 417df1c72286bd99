// Package agent runs a conversation. It sends the user's message to a model and runs the tools that
// the model calls, if the user allows that. It sends the results back until the model answers.
//
// [Session] owns the history of one conversation. [Gemini] is one of its models; [goated/agent/openai.Model]
// and [goated/agent/offline.Model] are others. The history consists of genai's types, so that every part goes
// back to the model unchanged. Callers use genai only to pass parts.
//
// The package returns kinds with arguments ([Failure], [Cause], [Refusal]); internal/wording turns
// them into sentences for the user. The package must not depend on processes, windows or files.
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

// CanAnswer reports whether m can write an answer. It returns false if m is nil, or if m only
// chooses among all tools, like [goated/agent/offline.Model].
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
	// CallEntry runs exactly the tool that Lookup returned as e. It fails if the server or the
	// definition of the tool has changed since then. If the tool itself fails, CallEntry returns
	// both its result, with isError set, and an error. The model gets the text of the error.
	// CallEntry passes the tool's progress and its log messages to report, which may be nil and may
	// block. A log message comes with the latest progress. CallEntry calls report from one
	// goroutine at a time, and never after it has returned.
	CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error)
}

// A Waiter is a [Tools] whose list may still be incomplete because servers are starting. Before its
// first request, a turn reads the sequence until it ends. The sequence yields [ServersStarting] and
// [ServersMissing]. It ends after a bounded time, or when ctx ends.
type Waiter interface {
	Await(ctx context.Context) iter.Seq[Event]
}

// An Asker is a [Tools] whose servers may ask the user questions during a call.
type Asker interface {
	// WithUserTime returns a context for one call, and a function that returns how long questions of
	// that call have been open so far.
	WithUserTime(ctx context.Context) (context.Context, func() time.Duration)
}

// A Question asks for the arguments of a tool.
type Question struct {
	Name        string // qualified
	Server      string
	Tool        string
	Description string
	Schema      any            // JSON schema of the arguments
	Args        map[string]any // the arguments that are known already
	// Choices are two or three tools if the question is which tool to call, or otherwise values for
	// one argument. The answer is then {"tool": value}. Schema describes a form for the same
	// question.
	Choices []Choice
}

// A Choice is one answer of a [Question], for a button.
type Choice struct {
	Value  string
	Label  string // display text
	Detail string // where it comes from
}

// Ask lets the user complete the arguments of a tool, and returns all of them. It
// blocks until the user has answered or ctx ends, and returns [ErrDeclined] if the
// user closes the form.
type Ask func(ctx context.Context, q Question) (map[string]any, error)

// ErrDeclined is the error of [Ask] when the user closes the form.
var ErrDeclined = errors.New("declined")

// ErrNothing is the error of a turn that has nothing to send, and of a summary that has nothing to
// summarise.
var ErrNothing = errors.New("there is nothing to send or to summarise")
