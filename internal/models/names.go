package models

import (
	"net"
	"net/url"
	"strings"

	"goated/agent"
	"goated/agent/pricing"
	"goated/internal/config"
	"goated/internal/modelname"
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
	e := Entry{Ref: config.ModelRef{Name: name}, Title: modelname.Title(config.ModelRef{Name: name}), Window: geminiWindow}
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
