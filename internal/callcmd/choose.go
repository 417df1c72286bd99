// Package callcmd contains the parts of "goated call" around the call itself: it finds the tool,
// reads the arguments, and prints the progress and the result. It must not know how servers are
// connected, nor who allows the call.
package callcmd

import (
	"errors"
	"fmt"
	"strings"

	"goated/client"
	"goated/internal/shellword"
	"goated/registry"
)

// Choose finds the only tool with the name among the servers of h.
func Choose(h *client.Host, name string) (registry.Entry, error) {
	found := h.FindByName(name)
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return registry.Entry{}, none(h, name)
	}
	names := make([]string, len(found))
	for i, e := range found {
		names[i] = e.Name
	}
	return registry.Entry{}, fmt.Errorf("%d servers have a tool %q. Choose one of: %s", len(found), name, strings.Join(names, ", "))
}

// none returns the reason why no tool with the name can be called.
func none(h *client.Host, name string) error {
	for _, s := range h.Snapshot().Servers {
		for _, e := range s.Off {
			if e.Name == name || e.Tool.Name == name {
				return off(s, e.Tool.Name)
			}
		}
	}
	_, err := h.Lookup(name)
	var e *client.Error
	if errors.As(err, &e) && errors.Is(err, client.ErrToolNotFound) {
		return &missing{e}
	}
	return err
}

// off returns the error for a tool that is turned off. Only the settings of a saved server can turn
// it on.
func off(s client.Server, tool string) error {
	text := fmt.Sprintf("the tool %s of %s is off", tool, s.Name)
	if s.Saved || s.Bundled {
		text += fmt.Sprintf(". Turn it on with: goated servers tool %s %s on", shellword.Quote(s.Name), shellword.Quote(tool))
	}
	return errors.New(text)
}

// A missing error means that no server has the tool. Its advice fits a terminal, which has no page
// with details about a server.
type missing struct{ of *client.Error }

func (m *missing) Error() string {
	return m.of.Error() + ". \"goated tools\" lists the tools, and says why one can't be called"
}

// Missing reports whether no server has the tool that [Choose] looked for.
func Missing(err error) bool {
	var m *missing
	return errors.As(err, &m)
}
