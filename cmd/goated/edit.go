package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/instance"
	"goated/internal/oauth"
)

// A handover is the request that a second start sends to the first one.
type handover struct {
	Servers []config.Launch `json:"servers,omitempty"` // servers to connect, with the values of their variables
	Edit    *edit           `json:"edit,omitempty"`    // edits the saved servers; the window stays where it is
}

// An edit changes the saved servers, either in the settings or through the open window.
type edit struct {
	Add  []config.Launch   `json:"add,omitempty"`
	Over config.Launch     `json:"over,omitzero"`  // the saved server that the first element of Add updates
	Verb string            `json:"verb,omitempty"` // remove, enable, disable, signout or restart
	Name string            `json:"name,omitempty"`
	Dirs map[string]string `json:"dirs,omitempty"` // folders that the user entered, by variable
	Tool string            `json:"tool,omitempty"` // the tool of the server, for the verbs on and off
	Of   config.Launch     `json:"of,omitzero"`    // the server that has the tool; a bundled one only has a name
	Link *config.Link      `json:"link,omitempty"`
	Drop string            `json:"drop,omitempty"` // a linked file to unlink
}

// apply applies an edit to settings.
func (e edit) apply(s config.Settings) config.Settings {
	add := e.Add
	if e.updates() {
		s, add = config.WithUpdated(s, e.Over, add[0]), add[1:]
	}
	s.Launch = append(slices.Clone(s.Launch), add...)
	s = s.WithLink(e.Link).WithoutLink(e.Drop)
	if e.Tool != "" {
		return s.WithTool(e.Of, e.Tool, e.Verb == "on")
	}
	at := slices.IndexFunc(s.Launch, func(l config.Launch) bool { return e.Name != "" && strings.EqualFold(l.DisplayName(), e.Name) })
	switch {
	case e.Verb == "remove" && at >= 0:
		s.Launch = slices.Delete(s.Launch, at, at+1)
	case e.Verb == "enable" || e.Verb == "disable":
		if at >= 0 {
			s.Launch[at] = s.Launch[at].WithValues(e.Dirs)
			s.Launch[at].Off = e.Verb == "disable"
		} else {
			for _, b := range ownServers() {
				if b.Name == e.Name {
					s = s.WithBundled(b, e.Verb == "enable")
				}
			}
		}
	}
	return s
}

// updates reports whether the edit updates a saved server.
func (e edit) updates() bool { return e.Over.Subject() != "" && len(e.Add) > 0 }

// enabled returns the server that the edit starts. The settings may not contain the edit yet.
func (e edit) enabled(s config.Settings) (config.Launch, bool) {
	l, ok := savedAs(s.Launch, e.Name)
	return l.WithValues(e.Dirs), ok
}

// change applies an edit. If a window is open, the window applies it. Otherwise change writes the
// settings file.
func (o *options) change(ctx context.Context, e edit) error {
	in, err := instance.Claim(o.dataDir())
	if errors.Is(err, instance.ErrRunning) {
		return instance.Send(o.dataDir(), handover{Edit: &e})
	}
	if err == nil {
		defer in.Close()
	}
	if e.Verb == "restart" {
		return fmt.Errorf("goated's window is not open, so %s does not run. Each command starts its servers itself", e.Name)
	}
	s, warning := o.loadSettings()
	if warning != nil {
		return warning
	}
	if l, ok := savedAs(s.Launch, e.Name); ok && e.Verb == "signout" {
		return oauth.New(oauth.Options{Keyring: o.settingsKeyring()}).SignOut(l.URL, l.Name)
	}
	if err := o.settingsStore().Save(e.apply(s)); err != nil {
		return fmt.Errorf("saving the settings: %w", err)
	}
	if e.updates() {
		h := client.New(client.Options{Data: serversDir(o.dataDir())})
		defer h.Close()
		client.KeepFolder(h, consent.ConfigOf(e.Over), consent.ConfigOf(e.Add[0]))
	}
	return ctx.Err()
}
