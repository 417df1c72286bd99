// Package agent holds a conversation: it sends what the user says to a model,
// runs the tools that the model asks for, if the user lets them, and gives the
// results back until the model has answered.
//
// [Session] owns the history of one conversation. [Gemini] and [Offline] are
// its models. genai's types are the vocabulary of the history, so that nothing
// of what the model said is lost before it is said back to it; they are used in
// this package and by its callers only to hand parts over.
package agent

import (
	"context"
	"errors"
	"iter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/registry"
)

// A Model generates the next content of a conversation. It is the signature of
// genai's GenerateContentStream with the model's name bound. Responses carry
// one candidate. It must return soon after ctx ends.
type Model interface {
	Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error]
}

// Tools are what a session may call. *client.Host satisfies it. It is used by
// many goroutines at once.
type Tools interface {
	// Tools yields all tools in a stable order.
	Tools() iter.Seq[registry.Entry]
	// Lookup finds a tool by its qualified name; its error is a sentence.
	Lookup(name string) (registry.Entry, error)
	// Call runs a tool. A tool's own failure is a result with isError set, and
	// an error with it; the error is a sentence.
	//
	// report is told how far the call is, on a goroutine of the call's, never
	// twice at once, and not any more when Call has returned; it may block. What
	// the tool logs comes as the message of a progress that is where it was. Nil:
	// nobody wants to know.
	Call(ctx context.Context, name string, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error)
}

// Approve asks a person whether a call may run, and blocks until there is an
// answer or ctx ends. A session never asks two questions at once.
type Approve func(ctx context.Context, call ToolCalled) (Decision, error)

// A Question asks for the arguments of a tool.
type Question struct {
	Name        string // qualified
	Server      string
	Tool        string
	Description string
	Schema      any            // JSON schema of the arguments
	Args        map[string]any // what is known already
}

// Ask has a person complete the arguments of a tool, and blocks until that is
// done. It returns [ErrDeclined] when the person does not want to.
type Ask func(ctx context.Context, q Question) (map[string]any, error)

// ErrDeclined says that a person closed a form without answering.
var ErrDeclined = errors.New("declined")

// ErrNothing is the error of a turn that would send nothing.
var ErrNothing = errors.New("there is nothing to send")
