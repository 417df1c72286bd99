// Package inspectcmd contains the command "goated inspect" and the flag --trace: they print and
// store the messages between goated, its servers and its model. It must not know the window, nor
// how servers are connected.
package inspectcmd

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"goated/client"
	"goated/internal/inspect"
	"goated/internal/state"
	"goated/ui/view"
)

// A Tap collects messages for a file or for the command. A nil Tap, or one that nobody uses,
// collects nothing and costs nothing.
type Tap struct {
	file string // of --trace; empty: none
	log  inspect.Log
	show func(inspect.Frame, inspect.Entry) // prints for the command; nil: prints nothing

	// Live is the recorder of a window. It listens only while it is on. It must be set before the
	// first use; nil means no window.
	Live *inspect.Recorder
}

// NewTap registers --trace.
func NewTap(f *pflag.FlagSet) *Tap {
	t := new(Tap)
	f.StringVar(&t.file, "trace", "", "store the messages of servers and Gemini in this file, for \"goated inspect FILE\"")
	return t
}

// on reports whether anything may listen now or later.
func (t *Tap) on() bool { return t.collects() || t != nil && t.Live != nil }

// collects reports whether the tap keeps all messages, for a file or for the command.
func (t *Tap) collects() bool { return t != nil && (t.file != "" || t.show != nil) }

// listening reports whether anything is listening now.
func (t *Tap) listening() bool { return t.collects() || t.Live.On() }

// Check returns an error if the file cannot be stored. It is called before there is anything to
// lose.
func (t *Tap) Check() error {
	if t == nil || t.file == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(t.file)); err != nil {
		return fmt.Errorf("--trace %s: %w", t.file, err)
	} else if !info.IsDir() {
		return fmt.Errorf("--trace %s: %s is not a folder", t.file, filepath.Dir(t.file))
	}
	if info, err := os.Stat(t.file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("--trace %s: it exists and is not a file", t.file)
	}
	return nil
}

// Servers returns the trace options that report the messages of servers.
func (t *Tap) Servers() (o client.TraceOptions) {
	if t.on() {
		o.Listening = t.listening
		o.Report = func(e client.TraceEvent) { t.add(frame(e)) }
	}
	if t != nil && t.Live != nil { // the user opens the inspector only after something has failed
		recent := new(client.RecentTrace)
		o.Recent = recent
		t.Live.Earlier = func() (all []inspect.Frame) {
			for _, e := range recent.Take() {
				all = append(all, frame(e))
			}
			return all
		}
	}
	return o
}

func frame(e client.TraceEvent) inspect.Frame {
	f := inspect.Frame{Server: e.Server, Sent: e.Direction == client.Sent, Noise: e.Noise, Unanswered: e.Unanswered, Time: e.Time, Data: e.Data, Size: e.Size}
	switch e.End {
	case client.Closed:
		f.End = inspect.Closed
	case client.Lost:
		f.End = inspect.Lost
	}
	return f
}

// Model returns the HTTP client that reports the requests to a model, or nil if nothing listens.
func (t *Tap) Model(name string, secrets ...string) *http.Client {
	if !t.on() {
		return nil
	}
	return &http.Client{Transport: &inspect.Model{Name: name, Next: http.DefaultTransport, Redact: client.Redact(secrets), Report: t.add, Listening: t.listening}}
}

func (t *Tap) add(f inspect.Frame) {
	if t.Live != nil {
		t.Live.Add(f)
	}
	if !t.collects() {
		return
	}
	e, ok := t.log.Add(f)
	if !ok || t.show == nil {
		return
	}
	for _, seq := range e.Lost {
		if lost, ok := t.log.Get(seq); ok {
			t.show(f, lost)
		}
	}
	t.show(f, e)
}

// Connected records how the servers of a host are connected, for the commands that repeat their
// calls.
func (t *Tap) Connected(servers []client.Server) {
	if !t.collects() {
		return
	}
	all := make(inspect.Starts)
	for _, s := range servers {
		switch {
		case s.Bundled || s.Saved:
			all[s.ID] = []string{"--server", s.Name}
		default:
			all[s.ID] = []string{"--server", client.Redact(nil)(cmp.Or(view.ServerArgument(s), s.URL))}
		}
	}
	t.log.Connected(all)
}

// Save writes the file of --trace, which only the user can read. It replaces the file only when
// everything is written.
func (t *Tap) Save() error {
	if t == nil || t.file == "" {
		return nil
	}
	err := state.Replace(t.file, func(w io.Writer) error { return t.log.Export(w, inspect.Filter{}) })
	if err != nil {
		return fmt.Errorf("storing the messages in %s: %w", t.file, err)
	}
	return nil
}
