package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"goated/client"
	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/launch"
	"goated/internal/linked"
	"goated/internal/serverflags"
	"goated/internal/terminal"
	"goated/registry"
)

// An asked is a server that the user named on the command line.
type asked struct {
	launch.Server // as the text describes it; zero for a saved server
	config.Launch
	inputs []launch.Input // values that the text leaves to the user
	config client.Config
	saved  bool   // it is in the settings
	linked string // its mark in a linked file; empty for others
}

// asked returns the servers of --server. p asks for the variables that have no value, and may be
// nil.
func (a *app) asked(ctx context.Context, w io.Writer, p *terminal.Prompter) ([]asked, error) {
	targets, err := a.given.Bound(a.settings.Launch)
	if err != nil {
		return nil, err
	}
	var all []asked
	for _, t := range targets {
		if b, ok := ownCalled(t.Text); ok && len(t.Flags) == 0 {
			if _, saved := savedAs(a.settings.Launch, t.Text); !saved {
				a.bundled.with = append(a.bundled.with, b)
				continue
			}
		}
		list, err := a.understand(t.Text)
		if err != nil {
			return nil, err
		}
		if len(list) > 1 && len(t.Flags) > 0 {
			return nil, fmt.Errorf("%s belongs to one server, and this text has %d. Save them with \"goated servers add\", then use --server NAME", strings.Join(t.Flags, ", "), len(list))
		}
		for _, s := range list {
			if err := a.complete(ctx, w, p, t, &s); err != nil {
				return nil, err
			}
			if s.Launch, err = (adding.Terminal{Aside: w}).Without(s.Launch, s.Server); err != nil {
				return nil, err
			}
			s.config.Env, s.config.Headers = config.Environ(s.Launch.Env), config.Environ(s.Launch.Headers)
			all = append(all, s)
		}
	}
	return all, nil
}

// understand interprets the text of a --server. It first tries the name of a saved server.
func (a *app) understand(text string) ([]asked, error) {
	if l, ok := savedAs(a.settings.Launch, text); ok {
		return []asked{{Launch: l, saved: true}}, nil
	}
	if f, ok := linked.Called(a.settings.Linked, text); ok {
		return []asked{{Launch: f.Launch, linked: f.Mark}}, f.Startable()
	}
	reading, err := launch.Understand(text, launch.Here(client.LookPathFunc(a.host)))
	var p *launch.Problem
	if errors.As(err, &p) && p.Kind == launch.NotFound && slices.Contains([]string{".py", ".js", ".go"}, filepath.Ext(p.Subject)) {
		// The host rejects the script with an error that contains the folder in which it looked,
		// and logs the error like every other (seed 003, property 7).
		return []asked{{Launch: config.Launch{Path: p.Subject}}}, nil
	}
	if err != nil {
		return nil, err
	}
	var list []asked
	for _, s := range reading.Servers {
		if s.Off && len(reading.Servers) > 1 {
			continue
		}
		l := config.FromText(s)
		// If a text has no variables and starts the same program as a saved server, it means that
		// server, so that it does not run twice. If it has variables, it may be a second account.
		if i := slices.IndexFunc(a.settings.Launch, l.Same); i >= 0 && len(l.Env) == 0 && len(l.Headers) == 0 {
			list = append(list, asked{Launch: a.settings.Launch[i], saved: true})
			continue
		}
		list = append(list, asked{Server: s, Launch: l, inputs: reading.Inputs})
	}
	return list, nil
}

// savedAs finds a saved server by its name, ignoring case, or by the prefix of its tools' names.
func savedAs(saved []config.Launch, name string) (config.Launch, bool) {
	name = strings.TrimSpace(name)
	i := slices.IndexFunc(saved, func(l config.Launch) bool { return strings.EqualFold(l.DisplayName(), name) })
	if i < 0 {
		i = slices.IndexFunc(saved, func(l config.Launch) bool { return strings.EqualFold(registry.ServerID(l.DisplayName()), name) })
	}
	if i < 0 || name == "" {
		return config.Launch{}, false
	}
	return saved[i], true
}

// complete adds the flags of t, the permissions in the settings, and the values of variables.
func (a *app) complete(ctx context.Context, w io.Writer, p *terminal.Prompter, t *serverflags.Target, s *asked) error {
	env, err := serverflags.Environ(t.Env)
	if err != nil {
		return err
	}
	headers, err := serverflags.Headers(t.Header)
	if err != nil {
		return err
	}
	granted, err := t.Grant()
	if err != nil {
		return err
	}
	for _, n := range s.Notes {
		fmt.Fprintf(w, "%s: %s\n", s.DisplayName(), adding.Note(n))
	}
	given := config.VariablesOf(env)
	if s.saved || s.Server.Words()[0] == "" {
		if s.Launch, err = adding.Passed(s.Launch, given, headers); err != nil {
			return err
		}
	} else {
		if s.Server, s.inputs, given, err = adding.Given(s.Server, s.inputs, given, headers); err != nil {
			return err
		}
		ask := adding.Terminal{Aside: w}
		if p != nil && terminal.Interactive() {
			ask.Prompter = adder{p}
		}
		s.Launch = ask.Complete(ctx, s.Server, s.inputs, given)
	}
	s.Launch.NoSandbox = s.Launch.NoSandbox || t.NoSandbox
	if s.saved {
		s.config = consent.ConfigOf(s.Launch)
	} else {
		s.config = consent.WithSavedPermissions(a.settings, consent.ConfigOf(s.Launch))
	}
	if t.Installs() && !s.saved && s.Launch.URL == "" {
		granted = append(granted, consent.HostsIn(s.Launch.Command, s.Launch.Args, config.Environ(s.Launch.Env))...) // like "Add and start"
	}
	for _, p := range granted {
		s.config.Grant = s.config.Grant.Permissions().With(p).Grant()
	}
	if a.log != nil {
		a.log.keepAll(config.Environ(s.Launch.Env))
		a.log.keepAll(config.Environ(s.Launch.Headers))
	}
	return nil
}
