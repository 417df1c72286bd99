package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/diagnose"
	"goated/client/internal/protocols"
	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
)

// failedCalls holds evidence from a server's failed calls about the permissions that it lacks.
// Most servers catch the error of a blocked access and write nothing to stderr.
type failedCalls struct {
	text      []string             // the last lines of their errors
	blocked   []sandbox.Permission // that the sandbox refused meanwhile
	arguments []string             // the paths among their arguments
	late      int                  // after a failed call until the next one: 1 + the number of refusals known at its failure
	at        time.Time            // of the failure
	withheld  []string             // paths among the server's own arguments, which only the user allows
}

// addLateRefusals adds the refusals that were reported after their failed call: reports and results arrive
// through different pipes. A server may look up hosts at any time, without a call, so refusals count
// for two seconds only.
func (f *failedCalls) addLateRefusals(refused []sandbox.Permission) {
	for ; f.late > 0 && f.late <= len(refused); f.late++ {
		if p := refused[f.late-1]; p.Path != "" || time.Since(f.at) < 2*time.Second {
			f.blocked = append(f.blocked, p)
		}
	}
}

// refusalCount counts the refusals before a call.
func refusalCount(s *server) int {
	refused := s.link.refused()
	s.host.list.mu.Lock()
	defer s.host.list.mu.Unlock()
	s.failed.addLateRefusals(refused)
	s.failed.late = 0
	return len(refused)
}

const (
	refusedBytes = 8 << 10 // of the kept text of one failed call
	maxArguments = 16      // kept paths
)

// keepEvidence keeps the evidence of a failed call: its text, the paths among its arguments, and
// what the sandbox refused during the call. before is the number of earlier refusals.
func (s *server) keepEvidence(text string, args map[string]any, before int) {
	lines := strings.Split(text[:min(len(text), refusedBytes)], "\n")
	refused := s.link.refused()
	s.host.list.mu.Lock()
	f := &s.failed
	f.text = append(f.text, lines...)
	f.text = f.text[max(0, len(f.text)-proc.TailLines):]
	f.blocked = append(f.blocked, refused[min(before, len(refused)):]...)
	for _, earlier := range refused[:min(before, len(refused))] { // reported once, at the first try
		if earlier.Path != "" && strings.Contains(text, earlier.Path) && !slices.Contains(f.blocked, earlier) {
			f.blocked = append(f.blocked, earlier)
		}
	}
	f.late, f.at = len(refused)+1, time.Now()
	f.arguments = append(f.arguments, pathsIn(args)...)
	f.arguments = f.arguments[max(0, len(f.arguments)-maxArguments):]
	s.host.list.mu.Unlock()
	s.host.list.notifySoon()
}

// pathsIn returns the existing absolute paths, and file URLs, among arguments.
func pathsIn(args map[string]any) []string {
	encoded, err := json.Marshal(args)
	if err != nil {
		return nil
	}
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if u, err := url.Parse(v); err == nil && u.Scheme == "file" {
				v = u.Path
			}
			if filepath.IsAbs(v) && len(v) < 4096 && len(out) < maxArguments {
				if real, err := filepath.EvalSymlinks(v); err == nil && filepath.Dir(real) != real {
					out = append(out, v)
				}
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	var decoded any
	if json.Unmarshal(encoded, &decoded) == nil {
		walk(decoded)
	}
	return out
}

// evidence returns what the host knows about permissions that the server lacks. The caller holds
// the list's mu.
func evidence(s *server, stderr []string) sandbox.Evidence {
	if s.view.Status == Failed {
		return failedEvidence(s, stderr)
	}
	refused := s.link.refused()
	s.failed.addLateRefusals(refused)
	blocked := slices.Concat(s.failed.blocked, refusedByName(s.config, refused))
	return sandbox.Evidence{Refused: refused, Blocked: blocked, Text: slices.Concat(stderr, s.failed.text), Said: s.failed.text, Arguments: s.failed.arguments, Config: s.config.enteredText()}
}

// enteredText returns the command of the server as the user entered it, and its settings.
func (c Config) enteredText() string {
	return strings.Join(slices.Concat([]string{c.Path, c.Command}, c.Args, c.Env), "\n")
}

// refusedByName returns the refusals to write a file that the user named among the server's
// arguments. They need no failed call: SQLite opens such a file for reading instead, and
// its server reports the refused statement as a normal result.
func refusedByName(c Config, refused []sandbox.Permission) (out []sandbox.Permission) {
	files := sync.OnceValue(func() []string { return GrantOfArguments(c.Args).Read }) // looks at the files
	for _, p := range refused {
		if (p.Kind == sandbox.ToWrite || p.Kind == sandbox.ToWriteFile) && slices.Contains(files(), p.Path) {
			out = append(out, p)
		}
	}
	return out
}

// failedEvidence returns the evidence of a server that does not run. Any refusal may be the
// cause.
func failedEvidence(s *server, stderr []string) sandbox.Evidence {
	refused := s.link.refused()
	paths := slices.DeleteFunc(slices.Clone(refused), func(p sandbox.Permission) bool { return p.Path == "" })
	var reached []limit.Kind
	if s.link != nil && s.link.process != nil && s.link.process.OutOfMemory() {
		reached = []limit.Kind{limit.Memory}
	}
	return sandbox.Evidence{Refused: refused, Reached: reached, Text: stderr, Fatal: diagnose.Reason(stderr), Blocked: slices.Concat(s.failed.blocked, paths), Config: s.config.enteredText()}
}

// Bounds of a second start that observes what a server reads. goated ends a server that does not
// fail again, and the user waits for the error until then.
const (
	rerunAfter = 15 * time.Second // that the first start lasted at most
	rerunExtra = 2 * time.Second  // beyond twice the time of the first start: observing takes time
	rerunMost  = 20 * time.Second
)

// observeReads restarts a server that exited without a known reason, and records which files the
// sandbox does not let it read. It also sends initialize, because the server may have exited at that
// request. It sends nothing else: a server that answers initialize then only waits. Other starts
// observe only writes, because observing reads costs 0.1 ms per opened file.
func observeReads(ctx context.Context, s *server, e *Error) {
	c := s.run
	if e.Kind != ErrStart || c.Policy == nil || s.session != nil || s.link == nil || s.link.process == nil || s.config.Bundled || !s.view.Sandbox.Confined() {
		return
	}
	lasted := time.Since(s.link.process.Began)
	if !s.link.exitsWithin(0) || lasted > rerunAfter || len(sandbox.Needs(s.view.Policy, failedEvidence(s, s.link.lines()))) > 0 {
		return
	}
	policy := *c.Policy
	policy.Reads = true
	c.Policy = &policy
	ctx, cancel := context.WithTimeout(ctx, min(2*lasted+rerunExtra, rerunMost))
	defer cancel()
	blocked := slices.DeleteFunc(proc.Refusals(ctx, c, initializeRequest(s)), func(p sandbox.Permission) bool { return p.Path == "" })
	s.host.list.update(func() { s.failed.blocked = append(s.failed.blocked, blocked...) })
}

// initializeRequest returns the first message of a session with a server, in the older protocol.
func initializeRequest(s *server) []byte {
	type declared struct {
		*mcp.ClientCapabilities
		Roots *struct{} `json:"roots,omitempty"` // the SDK's field is never empty in JSON
	}
	params, err := json.Marshal(struct {
		ProtocolVersion string              `json:"protocolVersion"`
		Capabilities    declared            `json:"capabilities"`
		ClientInfo      *mcp.Implementation `json:"clientInfo"`
	}{protocols.Legacy, declared{ClientCapabilities: capabilities(s)}, &mcp.Implementation{Name: "goated", Version: s.host.o.Version}})
	if err != nil {
		return nil // never: it is made of strings
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}`+"\n", params)
}
