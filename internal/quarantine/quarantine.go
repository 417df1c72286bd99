// Package quarantine keeps which tools the service of a model refused, and its words, in a
// file, so that no later conversation sends them again and the user can read why.
//
// A tool leaves it when its definition or its program changes, when the user releases it,
// and after [Term]: services change too. The package must not know sessions or windows.
package quarantine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/state"
	"goated/registry"
)

// Term is how long a tool stays.
const Term = 7 * 24 * time.Hour

// most bounds the file. The oldest tools leave it first.
const most = 500

// A Tool was refused.
type Tool struct {
	Server  string    `json:"server"`
	Name    string    `json:"tool"`
	Digest  string    `json:"digest"`            // of the entry, see [registry.Entry.Digest]
	Service string    `json:"service,omitempty"` // address; empty: Gemini
	Model   string    `json:"model"`
	Reason  string    `json:"reason"` // in the words of the service
	At      time.Time `json:"at"`
}

// Until returns the time at which the quarantine of the tool ends.
func (t Tool) Until() time.Time { return t.At.Add(Term) }

// A List is the quarantine. Several processes may use its file: each sees a change of
// another at its next look. Its methods are safe for concurrent use; a nil List is empty
// and keeps nothing. Make it with [New].
type List struct {
	file state.File
	now  func() time.Time

	mu     sync.Mutex
	tools  []Tool
	loaded os.FileInfo // of the file when it was read; nil: there was none
	fresh  bool        // tools holds the tools of the file
}

// content is the content of the file.
type content struct {
	Tools []Tool `json:"tools,omitempty"`
}

// New returns the quarantine of a file, which need not exist yet.
func New(path string) *List { return &List{file: state.File{Path: path}, now: time.Now} }

// Refused implements [goated/agent.Quarantine].
func (l *List) Refused(service, model string, entries []registry.Entry) map[*mcp.Tool]string {
	kept := l.list()
	if len(kept) == 0 {
		return nil
	}
	named := make(map[[2]string]Tool)
	for _, t := range kept {
		if t.Service == service && t.Model == model {
			named[[2]string{t.Server, t.Name}] = t
		}
	}
	out := make(map[*mcp.Tool]string)
	for _, e := range entries {
		if t, ok := named[[2]string{e.Server, e.Tool.Name}]; ok && t.is(e) {
			out[e.Tool] = t.Reason
		}
	}
	return out
}

// is reports whether e is the tool that was refused, unchanged.
func (t Tool) is(e registry.Entry) bool {
	return e.Tool != nil && t.Name == e.Tool.Name && t.Server == e.Server && t.Digest == e.Digest()
}

// Of returns how models refused a tool.
func (l *List) Of(e registry.Entry) []Tool {
	return slices.DeleteFunc(l.list(), func(t Tool) bool { return !t.is(e) })
}

// Refuse implements [goated/agent.Quarantine]. What cannot be saved lasts as long as the
// process.
func (l *List) Refuse(service, model string, e registry.Entry, reason string) error {
	if l == nil {
		return nil
	}
	add := Tool{Server: e.Server, Name: e.Tool.Name, Digest: e.Digest(), Service: service, Model: model, Reason: reason, At: l.now().UTC().Truncate(time.Second)}
	return l.change(func(all []Tool) []Tool {
		all = slices.DeleteFunc(all, func(t Tool) bool {
			return t.Service == service && t.Model == model && t.Server == e.Server && t.Name == e.Tool.Name
		})
		all = append(all, add)
		return all[max(0, len(all)-most):]
	})
}

// Release lets every model get a tool again, and reports whether one did not.
func (l *List) Release(e registry.Entry) (released bool, err error) {
	if l == nil {
		return false, nil
	}
	err = l.change(func(all []Tool) []Tool {
		left := slices.DeleteFunc(slices.Clone(all), func(t Tool) bool { return t.Server == e.Server && t.Name == e.Tool.Name })
		released = len(left) < len(all)
		return left
	})
	return released, err
}

// list returns the tools whose term has not ended.
func (l *List) list() []Tool {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	info, err := os.Stat(l.file.Path)
	if err != nil {
		info = nil
	}
	if !l.fresh || !state.Same(info, l.loaded) {
		l.read(info)
	}
	now := l.now()
	return slices.DeleteFunc(slices.Clone(l.tools), func(t Tool) bool { return !now.Before(t.Until()) })
}

// read reads the file. A damaged one costs only that some requests are refused once more.
func (l *List) read(info os.FileInfo) {
	var c content
	if _, err := l.file.Load(&c); err != nil {
		return
	}
	l.tools, l.loaded, l.fresh = c.Tools, info, true
}

// change replaces the tools of the file.
func (l *List) change(f func([]Tool) []Tool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := false
	err := l.file.Exclusive(func() error {
		var c content
		_, err := l.file.Load(&c)
		if err == nil {
			l.tools = c.Tools
		}
		l.tools, changed = f(l.tools), true
		return errors.Join(err, l.file.Save(content{l.tools}))
	})
	if !changed {
		l.tools = f(l.tools)
	}
	l.fresh = true
	l.loaded, _ = os.Stat(l.file.Path) // a missing file has no info
	if err != nil {
		return fmt.Errorf("keeping which tools a model refused: %w", err)
	}
	return nil
}
