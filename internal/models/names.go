package models

import (
	"cmp"
	"net"
	"net/url"
	"strings"

	"goated/agent"
	"goated/agent/pricing"
	"goated/internal/config"
	"goated/internal/lazyregexp"
	"goated/internal/weborigin"
)

// An Entry is a model that the user can choose.
type Entry struct {
	Ref    config.ModelRef
	Title  string
	Note   string // a short description; may be empty
	Window int    // size of the context in tokens; 0: unknown
	Price  pricing.Price
	Priced bool // the price is known
	Free   bool // the model costs nothing
}

// A Group contains the models of one service.
type Group struct {
	Title   string
	Service string // as in [config.ModelRef]
	Entries []Entry
	Err     error // why the models cannot be listed
}

// geminiWindow is the context size of Gemini's models since version 2.5, in tokens
// (ai.google.dev/gemini-api/docs/models).
const geminiWindow = 1_048_576

// offered returns the models of Gemini that goated knows without a request; see [Source.All].
func offered() []struct{ name, note string } {
	return []struct{ name, note string }{
		{agent.DefaultModel, "Always the newest version"},
		{"gemini-3.5-flash", "Fast, calls tools well"},
		{"gemini-3.1-pro-preview", "For long and hard work"},
		{"gemini-3.1-flash-lite", "Cheapest"},
	}
}

// geminiEntry describes one of Gemini's models.
func geminiEntry(name string) Entry {
	e := Entry{Ref: config.ModelRef{Name: name}, Title: Title(config.ModelRef{Name: name}), Window: geminiWindow}
	if strings.HasPrefix(name, "gemma") {
		e.Window = 131_072
	}
	e.Price, e.Priced = pricing.Of(name, 0)
	for _, o := range offered() {
		if o.name == name {
			e.Note = o.note
		}
	}
	return e
}

// sized matches the size in the name of an open model, such as 14b.
var sized = lazyregexp.New(`^(\d+(?:\.\d+)?)([bm])$`)

// Title returns the display name of a model: "Gemini 3.5 Flash" for gemini-3.5-flash, "Qwen3 14B"
// for qwen3:14b. It returns other names unchanged.
func Title(ref config.ModelRef) string {
	if ref.Service == config.NoModel {
		return "No model"
	}
	name := ref.Name
	if ref.Service == "" {
		name = cmp.Or(name, agent.DefaultModel)
	} else if name == "" {
		return Host(ref.Service)
	}
	_, short, found := strings.Cut(name, "/")
	if !found || short == "" {
		short = name
	}
	words := strings.FieldsFunc(strings.TrimSuffix(short, ":latest"), func(r rune) bool { return r == '-' || r == ':' || r == '_' || r == ' ' })
	if len(words) > 1 && words[len(words)-1] == "latest" { // the service chooses the version
		words = words[:len(words)-1]
	}
	for i, w := range words {
		switch m := sized.FindStringSubmatch(strings.ToLower(w)); {
		case m != nil:
			words[i] = m[1] + strings.ToUpper(m[2])
		case w == "gpt" || w == "oss" && i > 0:
			words[i] = strings.ToUpper(w)
		case w[0] >= 'a' && w[0] <= 'z':
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return cmp.Or(strings.Join(words, " "), name)
}

// Host returns the host of a service's URL for display.
func Host(service string) string {
	u, err := url.Parse(service)
	if err != nil || u.Host == "" {
		return service
	}
	return u.Host
}

// onThisComputer reports whether a service runs on this computer.
func onThisComputer(service string) bool {
	u, err := url.Parse(service)
	return err == nil && weborigin.IsLoopback(u.Hostname())
}

// onThisNetwork reports whether a service has a private address, such as another computer at home.
func onThisNetwork(service string) bool {
	u, err := url.Parse(service)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsPrivate() || strings.HasSuffix(u.Hostname(), ".local")
}
