package offers

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"goated/client"
	"goated/internal/safetext"
)

// Line expands prompts and resources in a line from the terminal: it replaces "/NAME key=value…" by
// the text of the prompt, and each @NAME or @URI by the resource. files contains everything that is
// not text. /prompts and /resources print lists. send is false if there is nothing to send.
func (c *Cache) Line(ctx context.Context, h *client.Host, w io.Writer, line string) (text string, files []Document, send bool) {
	trimmed := strings.TrimSpace(line)
	if !strings.HasPrefix(trimmed, "/") && !strings.Contains(trimmed, "@") {
		return line, nil, true
	}
	all, wrong := c.List(ctx, h)
	words := strings.Fields(trimmed)
	switch words[0] {
	case "/prompts", "/resources":
		list(w, all, wrong, words[0] == "/prompts")
		return "", nil, false
	}
	if strings.HasPrefix(trimmed, "/") {
		o, rest, ok := called(all, trimmed[1:])
		if !ok {
			return line, nil, true // the line calls a tool
		}
		filled, err := o.Fill(ctx, h, o.values(rest))
		if err != nil {
			fmt.Fprintf(w, "%s. %s\n", safetext.Name(err.Error()), o.usage())
			return "", nil, false
		}
		return filled.Text, filled.Files, true
	}
	texts := []string{line}
	for _, word := range words {
		name, ok := strings.CutPrefix(word, "@")
		if !ok || name == "" {
			continue
		}
		o, read, err := find(ctx, h, all, name)
		if err != nil {
			fmt.Fprintf(w, "@%s: %s\n", safetext.Name(name), safetext.Name(err.Error()))
			return "", nil, false
		}
		for _, d := range read {
			if !d.Text {
				files = append(files, d)
				continue
			}
			texts = append(texts, fmt.Sprintf("[%s of %s]\n%s", o.URI, o.From, strings.ToValidUTF8(string(d.Data), "\uFFFD")))
		}
	}
	return strings.Join(texts, "\n\n"), files, true
}

// called finds the prompt whose name a line begins with, and returns the rest of the line. If
// several names match, it uses the longest, because a name may have several words.
func called(all []Offer, line string) (o Offer, rest string, ok bool) {
	longest := 0
	for _, one := range all {
		for _, name := range []string{one.Name, one.Server + ":" + one.Name} {
			if one.Kind != Prompt || len(name) <= longest || len(line) < len(name) || !strings.EqualFold(line[:len(name)], name) {
				continue
			}
			if after := line[len(name):]; after == "" || after[0] == ' ' || after[0] == '\t' {
				o, rest, ok, longest = one, strings.TrimSpace(after), true, len(name)
			}
		}
	}
	return o, rest, ok
}

// find reads the resource for @NAME: a resource that a server lists, one that matches a template,
// or a URI in no list, such as a link in a tool result. It returns nothing for any other word.
func find(ctx context.Context, h *client.Host, all []Offer, name string) (o Offer, read []Document, err error) {
	for _, o := range all {
		if o.Kind == Resource && (o.URI == name || strings.EqualFold(o.Name, name)) {
			read, err = o.Read(ctx, h, nil, maxText)
			return o, read, err
		}
	}
	scheme, _, ok := strings.Cut(name, "://")
	if !ok {
		return o, nil, nil
	}
	// Send the URI only to servers with resources of this kind, if there are any.
	var near, others []Offer
	for _, s := range h.Snapshot().Servers {
		if s.Status != client.Connected {
			continue
		}
		o := Offer{Kind: Resource, Server: s.ID, From: s.Name, Name: name, Title: name, URI: name}
		if slices.ContainsFunc(all, func(k Offer) bool {
			return k.Server == s.ID && k.Kind != Prompt && strings.HasPrefix(k.URI, scheme+"://")
		}) {
			near = append(near, o)
		} else {
			others = append(others, o)
		}
	}
	if len(near) == 0 && scheme != "http" && scheme != "https" {
		near = others
	}
	for _, o := range near {
		if read, err = o.Read(ctx, h, nil, maxText); err == nil {
			return o, read, nil
		}
	}
	return o, nil, err
}

// values parses key=value pairs. If there are none, the whole text is the first argument.
func (o Offer) values(text string) map[string]string {
	args := make(map[string]string)
	last := ""
	for _, word := range strings.Fields(text) {
		key, value, ok := strings.Cut(word, "=")
		known := ""
		for _, e := range o.Entries {
			if ok && strings.EqualFold(e.Name, key) {
				known = e.Name
			}
		}
		switch {
		case known != "":
			args[known], last = value, known
		case last != "":
			args[last] += " " + word
		case len(o.Entries) > 0:
			last = o.Entries[0].Name
			args[last] = word
		}
	}
	return args
}

// usage describes how to use a prompt in the terminal.
func (o Offer) usage() string {
	out := "Use it as /" + o.Name
	for _, e := range o.Entries {
		if e.Required {
			out += " " + e.Name + "=…"
		} else {
			out += " [" + e.Name + "=…]"
		}
	}
	return out
}

// maxListed limits the lines of a list in the terminal.
const maxListed = 200

// list prints the prompts, or the resources and templates, and the reasons why some are missing.
func list(w io.Writer, all []Offer, wrong []error, prompts bool) {
	n := 0
	for _, o := range all {
		if (o.Kind == Prompt) != prompts {
			continue
		}
		if n++; n > maxListed {
			continue
		}
		name := "@" + o.URI
		if prompts {
			name = strings.TrimPrefix(o.usage(), "Use it as ")
		}
		fmt.Fprintf(w, "%-40s %s · %s\n", safetext.Name(name), o.Title, safetext.Name(o.From))
	}
	if n > maxListed {
		fmt.Fprintf(w, "These are %d of %d.\n", maxListed, n)
	}
	for _, err := range wrong {
		fmt.Fprintln(w, safetext.Cut(safetext.OneLine(err.Error()), 300))
	}
	switch {
	case n > 0 || len(wrong) > 0:
	case prompts:
		fmt.Fprintln(w, "No connected server has prompts.")
	default:
		fmt.Fprintln(w, "No connected server has resources.")
	}
}
