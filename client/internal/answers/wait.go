// Package answers describes in MCP's terms what is wrong with the responses of servers.
//
// It owns the checks that need no session: the ids of responses, and the form of results. It must
// not know connections, and keeps no state.
package answers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/lazyregexp"
	"goated/internal/proc"
	"goated/internal/truncate"
)

// UnexpectedResponse explains why a response matches no open request. open reports whether the request with an
// id is open.
func UnexpectedResponse(id jsonrpc.ID, open func(jsonrpc.ID) bool) error {
	text, ok := id.Raw().(string)
	if !ok {
		return fmt.Errorf("the server answered with the id %v, which no open request of goated has", id.Raw())
	}
	shown := strconv.Quote(truncate.Bytes(text, 60))
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if number, err := jsonrpc.MakeID(n); err == nil && open(number) {
			return fmt.Errorf("the server answered with the id %s, a string, where goated sent the number", shown)
		}
	}
	return fmt.Errorf("the server answered with the id %s, which no open request of goated has", shown)
}

// maxLines bounds the lines of a server's log that ExplainNoResponse returns, and maxReasons the lines that
// it quotes.
const (
	maxLines   = 20
	maxReasons = 5
)

// reason matches a log line that may explain why a server does not respond. Most lines only report
// the server's activity.
var reason = lazyregexp.New(`(?i)error|exception|traceback|refused|denied|forbidden|unauthori|fail|fatal|panic|cannot|can't|could not|unable|unreachable|not found|timed? ?out|retry`)

// ExplainNoResponse explains why a request got no response: the server wrote something else, or its log
// contains a reason. why is nil if neither is known. lines are the last lines of the log without
// the text that the argument instead quotes.
func ExplainNoResponse(instead error, log []string) (lines []string, why error) {
	var reasons []string
	for _, line := range log {
		if strings.HasPrefix(line, "stdout: ") {
			continue
		}
		lines = append(lines, proc.Shorten(line))
		if reason.MatchString(line) {
			reasons = append(reasons, strings.TrimSpace(proc.Shorten(line)))
		}
	}
	lines, reasons = lines[max(0, len(lines)-maxLines):], reasons[max(0, len(reasons)-maxReasons):]
	said := " " + strings.Join(reasons, "")
	if len(reasons) > 1 {
		said = "\n  | " + strings.Join(reasons, "\n  | ")
	}
	switch {
	case len(reasons) == 0:
		return lines, instead
	case instead == nil:
		return lines, errors.New("the server wrote meanwhile:" + said)
	}
	return lines, fmt.Errorf("%w. It also wrote:%s", instead, said)
}
