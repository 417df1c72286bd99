// Package quarantine records in a file which tools the service of a model rejected, and the
// service's reason. So later conversations do not send them again, and the user can read the
// reason.
//
// A tool leaves the quarantine when its definition or its program changes, or when the user
// releases it. It also leaves after [Term], because services change too. The package must not know
// sessions or windows.
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

// Term is how long a tool stays in quarantine.
const Term = 7 * 24 * time.Hour

// most limits the number of tools in the file. The oldest tools are dropped first.
const most = 500

// A Tool is a tool that a service rejected.
type Tool struct {
	Server  string    `json:"server"`
	Name    string    `json:"tool"`
	Digest  string    `json:"digest"`            // of the registry entry; see [registry.Entry.Digest]
	Service string    `json:"service,omitempty"` // its URL; empty: Gemini
	Model   string    `json:"model"`
	Reason  string    `json:"reason"` // the service's words
	At      time.Time `json:"at"`
}

// Until returns the time at which the quarantine of the tool ends.
func (t Tool) Until() time.Time { return t.At.Add(Term) }

// A List is the quarantine. Several processes may use its file: each notices the changes of the
// others at its next access. The methods are safe for concurrent use. A nil List is empty and
// stores nothing. Create one with [New].
type List struct {
	file state.File
	now  func() time.Time

	mu     sync.Mutex
	tools  []Tool
	loaded os.FileInfo // of the file when it was read; nil: there was no file
	fresh  bool        // tools contains the tools of the file
}

// content is the content of the file.
type content struct {
	Tools []Tool `json:"tools,omitempty"`
}

// New returns the quarantine stored in a file, which need not exist yet.
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

// is reports whether e is the rejected tool, unchanged.
func (t Tool) is(e registry.Entry) bool {
	return e.Tool != nil && t.Name == e.Tool.Name && t.Server == e.Server && t.Digest == e.Digest()
}

// Of returns the rejections of a tool.
func (l *List) Of(e registry.Entry) []Tool {
	return slices.DeleteFunc(l.list(), func(t Tool) bool { return !t.is(e) })
}

// Refuse implements [goated/agent.Quarantine]. If the tool cannot be saved, it stays in quarantine
// as long as the process runs.
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

// Release lets every model get a tool again. It reports whether the tool was in quarantine.
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

// read reads the file. If it is damaged, the only effect is that services reject some requests once
// more.
func (l *List) read(info os.FileInfo) {
	var c content
	if _, err := l.file.Load(&c); err != nil {
		return
	}
	l.tools, l.loaded, l.fresh = c.Tools, info, true
}

// change applies f to the tools of the file.
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
	l.loaded, _ = os.Stat(l.file.Path) // nil if there is no file
	if err != nil {
		return fmt.Errorf("keeping which tools a model refused: %w", err)
	}
	return nil
}
