package llmem

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/servers/llmem/artifact"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// Values of [envelope.Status] (seed 001).
const (
	statusSuccess     = "success"
	statusError       = "error"
	statusPromptReady = "prompt_ready"
)

// An envelope is the answer of every tool (seed 001).
type envelope struct {
	Status     string `json:"status"`
	Data       any    `json:"data,omitempty"`
	Error      string `json:"error,omitempty"`
	Code       int    `json:"code,omitempty"`   // for an error: a code of JSON-RPC or MCP
	Reason     string `json:"reason,omitempty"` // for an error: its reason, for programs
	NextAction string `json:"nextAction,omitempty"`

	PromptForHostLLM string         `json:"promptForHostLLM,omitempty"`
	CallbackTool     string         `json:"callbackTool,omitempty"`
	CallbackArgs     map[string]any `json:"callbackArgs,omitempty"`
}

// Error codes of JSON-RPC, and MCP's code for a missing resource.
const (
	codeInvalid  = -32602
	codeInternal = -32603
	codeNotFound = -32002
)

// A failure is an error with its code.
type failure struct {
	code   int
	reason string
	text   string
	next   string
}

func (f *failure) Error() string { return f.text }

func invalid(text string) error { return &failure{codeInvalid, "invalid_argument", text, ""} }

// failed returns the envelope for an error.
func failed(err error) envelope {
	var f *failure
	e := envelope{Status: statusError, Error: err.Error(), Code: codeInternal, Reason: "internal"}
	switch {
	case errors.As(err, &f):
		e.Code, e.Reason, e.NextAction = f.code, f.reason, f.next
	case errors.Is(err, workspace.ErrOutside):
		e.Code, e.Reason, e.NextAction = codeInvalid, "outside_workspace", "Use a path inside the workspace."
	case errors.Is(err, workspace.ErrLink):
		e.Code, e.Reason, e.NextAction = codeInvalid, "link", "Use the path that the error names."
	case errors.Is(err, workspace.ErrIgnored):
		e.Code, e.Reason, e.NextAction = codeInvalid, "ignored", "A .gitignore excludes this path, or it belongs to a tool such as git. If you need it, ask the user."
	case errors.Is(err, artifact.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		e.Code, e.Reason, e.NextAction = codeNotFound, "not_found", "Call map_workspace or list_artifacts to see which paths exist."
	case errors.Is(err, artifact.ErrLarge):
		e.Code, e.Reason, e.NextAction = codeInvalid, "too_large", "Store a shorter result."
	case errors.Is(err, workspace.ErrLarge), errors.Is(err, outline.ErrLarge):
		e.Code, e.Reason, e.NextAction = codeInvalid, "too_large", "Read the part of the file that you need with another tool."
	case errors.Is(err, workspace.ErrNotFile), errors.Is(err, outline.ErrBinary), errors.Is(err, fs.ErrInvalid):
		e.Code, e.Reason, e.NextAction = codeInvalid, "not_a_text_file", "Use the path of a text file or of a folder."
	case errors.Is(err, outline.ErrSlow):
		e.Code, e.Reason, e.NextAction = codeInternal, "too_slow", "Read the part of the file that you need with another tool."
	case errors.Is(err, artifact.ErrFolder):
		e.Reason, e.NextAction = "no_folder", "Ask the user to move .artifacts away: LLMem then makes a new one."
	case errors.Is(err, artifact.ErrBusy):
		e.Reason, e.NextAction = "locked", "Another program changes the artifacts. Try again."
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Reason = "cancelled"
	}
	return e
}

// result returns the envelope both as structured content and as text.
func (e envelope) result() *mcp.CallToolResult {
	text, err := exact.Encode(e)
	if err != nil { // data consists of plain types
		e = envelope{Status: statusError, Error: "encoding the answer: " + err.Error(), Code: codeInternal, Reason: "internal"}
		text, _ = exact.Encode(e)
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(text)}},
		StructuredContent: json.RawMessage(text),
		IsError:           e.Status == statusError,
	}
}
