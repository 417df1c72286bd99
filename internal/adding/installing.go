package adding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"goated/internal/catalog"
	"goated/internal/config"
	"goated/internal/inputs"
	"goated/internal/paths"
	"goated/internal/safetext"
)

// Results prints the results of a search in the registry.
func (t Terminal) Results(r catalog.Results) {
	w := t.Out
	if len(r.Servers) == 0 {
		fmt.Fprintln(w, "The MCP registry has no server that matches.")
	}
	for _, s := range r.Servers {
		state := ""
		if s.Registry.Status == "deprecated" {
			state = " (deprecated)"
		}
		fmt.Fprintf(w, "%s %s%s\n  %s\n", s.Name, s.Version, state, s.Description)
		for _, way := range s.Ways() {
			note := ""
			if way.Why != nil {
				note = " (not usable: " + way.Why.Error() + ")"
			}
			fmt.Fprintf(w, "  - %s%s\n", way.Label, note)
		}
	}
	if r.More {
		fmt.Fprintln(w, "There are more. Use more words, or --limit.")
	}
	if !r.At.IsZero() {
		fmt.Fprintf(w, "goated can't reach the registry. This is its answer from %s.\n", r.At.Local().Format("2 January, 15:04"))
	}
}

// AgreesToBundle asks the user before goated installs a bundle from an untrusted source, and shows what
// it starts. If program is empty, no question is needed. It returns an error if the user does not agree.
func (t Terminal) AgreesToBundle(ctx context.Context, program string, allowed bool) error {
	if program == "" {
		return nil
	}
	program = safetext.Cut(program, 300)
	if allowed {
		fmt.Fprintf(t.Aside, "It starts: %s\n", program)
		return nil
	}
	if t.Prompter == nil {
		return fmt.Errorf("goated did not install this bundle, which starts %s, because it can't ask you here. Compare its SHA-256 with that of its author. To install it, write --allow-install before the address: goated servers add --allow-install …", program)
	}
	about := "It starts: " + program + "\nNobody vouches for this file. Compare its SHA-256 with that of its author."
	if answer := t.Prompter.Says(ctx, about, "Install it? [y/N] "); answer != "y" && answer != "yes" {
		return errors.New("goated did not install this bundle, because you did not agree")
	}
	return nil
}

// Inputs collects the values of inputs from given, from goated's environment and from the user.
func (t Terminal) Inputs(ctx context.Context, list []inputs.Input, given []string) (inputs.Values, error) {
	values := make(inputs.Values)
	for _, kv := range given {
		name, value, ok := strings.Cut(kv, "=")
		if !ok {
			value = os.Getenv(name)
		}
		values[name] = append(values[name], value)
	}
	for _, in := range list {
		if len(values[in.ID]) > 0 {
			continue
		}
		if own := os.Getenv(in.ID); own != "" && in.Secret {
			values[in.ID] = []string{own}
			continue
		}
		if t.Prompter == nil || !in.Required && len(in.Default) > 0 {
			continue
		}
		if err := t.input(ctx, in, values); err != nil {
			return nil, err
		}
	}
	filled, err := inputs.Fill(list, values)
	if err != nil {
		return nil, fmt.Errorf("%w. Set values with --env NAME=value", err)
	}
	return filled, nil
}

// input asks for one value until it is valid.
func (t Terminal) input(ctx context.Context, in inputs.Input, values inputs.Values) error {
	hint := in.Description
	switch {
	case len(in.Choices) > 0:
		hint = strings.TrimSpace(hint + " (" + strings.Join(in.Choices, ", ") + ")")
	case len(in.Default) > 0:
		hint = strings.TrimSpace(hint + " (empty for " + strings.Join(in.Default, ", ") + ")")
	case !in.Required:
		hint = strings.TrimSpace(hint + " (may be empty)")
	}
	if hint != "" {
		fmt.Fprintf(t.Aside, "%s: %s\n", in.Label(), hint)
	}
	for {
		var text string
		var err error
		if in.Secret {
			text, err = t.Prompter.Secret(ctx, in.Label()+": ")
		} else {
			text, err = t.Prompter.Line(ctx, in.Label()+": ")
		}
		if err != nil {
			return err
		}
		var entered []string
		if text = strings.TrimSpace(text); text != "" {
			entered = []string{text}
			if in.Kind == inputs.File || in.Kind == inputs.Folder {
				entered[0] = paths.Absolute(config.ScriptPath(text, homeDir()))
			}
		} else if len(in.Default) > 0 {
			return nil
		}
		if err := in.Check(entered); err != nil {
			fmt.Fprintln(t.Aside, err.Error())
			continue
		}
		if len(entered) > 0 {
			values[in.ID] = entered
		}
		return nil
	}
}

func homeDir() string {
	home, _ := os.UserHomeDir()
	return home
}
