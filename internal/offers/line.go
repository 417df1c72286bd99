package offers

import (
	"context"
	"fmt"
	"io"
	"strings"

	"goated/client"
	"goated/internal/safetext"
)

// Line replaces a line of the terminal by what it asks for: "/NAME key=value…" by the
// text of a prompt, and each @NAME or @URI by the resource. /prompts and /resources list
// them. send is false if there is nothing to send.
func (c *Cache) Line(ctx context.Context, h *client.Host, w io.Writer, line string) (text string, send bool) {
	trimmed := strings.TrimSpace(line)
	if !strings.HasPrefix(trimmed, "/") && !strings.Contains(trimmed, "@") {
		return line, true
	}
	all := c.List(ctx, h)
	words := strings.Fields(trimmed)
	switch words[0] {
	case "/prompts", "/resources":
		list(w, all, words[0] == "/prompts")
		return "", false
	}
	if name, ok := strings.CutPrefix(words[0], "/"); ok {
		for _, o := range all {
			if o.Kind != Prompt || !strings.EqualFold(o.Name, name) && !strings.EqualFold(o.Server+":"+o.Name, name) {
				continue
			}
			text, err := o.Fill(ctx, h, o.values(strings.TrimSpace(trimmed[len(words[0]):])))
			if err != nil {
				fmt.Fprintf(w, "%s. %s\n", safetext.Name(err.Error()), o.usage())
				return "", false
			}
			return text, true
		}
		return line, true // a tool
	}
	var read []string
	for _, word := range words {
		name, ok := strings.CutPrefix(word, "@")
		if !ok || name == "" {
			continue
		}
		for _, o := range all {
			if o.Kind != Resource || o.URI != name && !strings.EqualFold(o.Name, name) {
				continue
			}
			d, err := o.Read(ctx, h, nil, maxText)
			if err != nil {
				fmt.Fprintf(w, "@%s: %s\n", safetext.Name(name), safetext.Name(err.Error()))
				return "", false
			}
			read = append(read, fmt.Sprintf("[%s of %s]\n%s", o.URI, o.From, strings.ToValidUTF8(string(d.Data), "\uFFFD")))
			break
		}
	}
	return strings.Join(append([]string{line}, read...), "\n\n"), true
}

// values reads key=value pairs; without any, the whole text is the first argument.
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

// usage says how a prompt is called in the terminal.
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

// list prints the prompts, or the resources and templates.
func list(w io.Writer, all []Offer, prompts bool) {
	found := false
	for _, o := range all {
		if (o.Kind == Prompt) != prompts {
			continue
		}
		found = true
		name := "@" + o.URI
		if prompts {
			name = strings.TrimPrefix(o.usage(), "Use it as ")
		}
		fmt.Fprintf(w, "%-40s %s · %s\n", safetext.Name(name), o.Title, safetext.Name(o.From))
	}
	switch {
	case !found && prompts:
		fmt.Fprintln(w, "No connected server has prompts.")
	case !found:
		fmt.Fprintln(w, "No connected server has resources.")
	}
}
