package asking

import (
	"io"
	"os"
	"path/filepath"

	"goated/internal/lazyregexp"
)

// noBackChannel matches the failure of a tool that asks the user by a request to the client. MCP
// 2026-07-28 has no such request, but the current Python SDK and FastMCP still send it.
var noBackChannel = lazyregexp.New(`(?i)no back-?channel|elicitation\S* is (?:unavailable|not available) on 2026|unavailable on 2026-07-28`)

// noElicitation matches the failure of a tool that wants to ask the user although the client does
// not support that.
var noElicitation = lazyregexp.New(`(?i)client does not support elicit`)

// sampling matches the name of a request for a completion by the user's model, or for the user's
// folders.
var sampling = lazyregexp.New(`sampling/|roots/list`)

// NoSampling is the response to a server that requests a completion by the user's model. Most tools
// pass it on.
const NoSampling = "This server asked for an answer of your model (sampling). goated does not do that."

// FailedToAsk reports whether a tool failed with this message because it tried to ask the user. modern
// means that its server has no requests to the client. canAsk means that the user can be asked.
func FailedToAsk(message string, modern, canAsk bool) bool {
	if sampling.MatchString(message) {
		return false // no protocol version gives it an answer
	}
	return modern && noBackChannel.MatchString(message) || !canAsk && noElicitation.MatchString(message)
}

// elicits matches a call in the Python SDK or FastMCP that asks the user.
var elicits = lazyregexp.New(`\.elicit(?:_form|_url)?\(`)

// maxScript bounds how much of a script the function ScriptAsks reads.
const maxScript = 1 << 20

// ScriptAsks reports whether a Python script asks the user by a request to the client.
func ScriptAsks(path string) bool {
	if filepath.Ext(path) != ".py" {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false // the start reports the error
	}
	defer func() { _ = f.Close() }()
	source, _ := io.ReadAll(io.LimitReader(f, maxScript)) // at least the beginning
	return elicits.Match(source)
}
