package tools

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/linked"
	"goated/internal/oauth"
	"goated/internal/safetext"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/kit"
	"goated/ui/view"
)

// A row is one server of the page. It is running, saved, or comes with goated.
type row struct {
	launch  config.Launch  // from the settings; goated's own servers have only a name
	bundled config.Bundled // has no name for the user's servers
	server  client.Server  // has no ID while the server is not running
	name    string
	source  string // how it starts
	on      bool   // it starts with goated, or is running
	saved   bool   // the settings or a linked file contain it
	lacks   bool   // the user has to enter a value
	begins  bool   // it is starting, and the host may not list it yet
	state   state
	tools   []tool
	tokens  int // the cost of the tools that are on
	used    time.Time
}

// A state is the state of a server as its row shows it.
type state struct {
	words  string
	color  fyne.ThemeColorName
	needs  bool // the user has to do something
	starts bool
}

// A tool is one tool of a row.
type tool struct {
	entry  registry.Entry
	on     bool
	title  string
	effect view.Effect
	tokens int
	asks   bool           // it asks before each call
	was    *consent.Grant // the grant that a change of the tool suspended; nil: none
	fixed  bool           // it never asks, whatever the user chooses
	wrong  string
}

// key returns a key that identifies a row across changes of the list.
func (r row) key() string {
	if r.bundled.Name != "" {
		return "goated " + r.bundled.Name
	}
	return memoryKey(r.launch)
}

// callable counts the tools that are on.
func (r row) callable() int {
	n := 0
	for _, t := range r.tools {
		if t.on && t.wrong == "" {
			n++
		}
	}
	return n
}

// rows returns the rows of all servers: the user's servers by name, then goated's own.
func (p *Page) rows() []row {
	var out []row
	s := *p.Settings
	seen := make([]bool, len(s.Launch))
	for _, srv := range p.seen.Servers {
		if srv.Status == client.Disconnected {
			continue
		}
		r := row{server: srv, launch: consent.LaunchOfServer(srv), name: srv.Name, source: view.ServerCommand(srv), on: true, used: srv.Used}
		if srv.Bundled {
			r.bundled = p.own(srv.Name)
			r.source = ownSource(r.bundled)
		} else if i := slices.IndexFunc(s.Launch, r.launch.Same); i >= 0 {
			seen[i], r.launch, r.saved = true, s.Launch[i], true
		} else if p.Host != nil && len(s.Linked) > 0 {
			c, ok := p.Host.Config(srv.ID)
			r.saved = ok && linked.Agreed(s.Linked, consent.LaunchOf(c))
		}
		out = append(out, r)
	}
	for i, l := range s.Launch {
		if !seen[i] {
			out = append(out, row{launch: l, name: p.called(l), source: view.ServerCommand(client.Server{Path: l.Subject(), Args: l.Args}), on: !l.Off, saved: true})
		}
	}
	for _, b := range p.Bundled {
		if !slices.ContainsFunc(out, func(r row) bool { return r.bundled.Name == b.Name }) {
			out = append(out, row{bundled: b, launch: config.Launch{Name: b.Name}, name: b.Name, source: ownSource(b), on: s.StartsBundled(b)})
		}
	}
	for i := range out {
		p.complete(&out[i])
	}
	slices.SortStableFunc(out, func(a, b row) int {
		if own := cmp.Compare(len(a.bundled.Name), 0) - cmp.Compare(len(b.bundled.Name), 0); own != 0 {
			return own
		}
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	return out
}

// ownSource describes one of goated's own servers. Its name is the one that goated shows
// everywhere else.
func ownSource(b config.Bundled) string {
	if b.Title == "" {
		return "Comes with goated"
	}
	return b.Title + " · comes with goated"
}

// own returns goated's own server with the given name.
func (p *Page) own(name string) config.Bundled {
	if i := slices.IndexFunc(p.Bundled, func(b config.Bundled) bool { return b.Name == name }); i >= 0 {
		return p.Bundled[i]
	}
	return config.Bundled{Name: name, Default: true}
}

// complete fills in the fields that depend on the server's tools and state.
func (p *Page) complete(r *row) {
	off := p.Settings.ToolsOff(r.launch)
	switch srv := r.server; {
	case srv.Status == client.Connected && srv.ID != "":
		for _, e := range srv.Tools {
			if e.Tool == nil {
				continue
			}
			r.tools = append(r.tools, p.tool(e, true))
		}
		for _, e := range srv.Off {
			r.tools = append(r.tools, p.tool(e, false))
		}
		for _, w := range srv.Uncallable {
			if w.Tool != nil && w.Tool.Name != "" {
				r.tools = append(r.tools, tool{entry: registry.Entry{Server: srv.ID, Tool: w.Tool}, title: safetext.Name(w.Tool.Name), effect: view.EffectOf(registry.Entry{Tool: w.Tool}), wrong: w.Reason})
			}
		}
		slices.SortStableFunc(r.tools, func(a, b tool) int {
			switch { // changed tools come first, because a long list shows only its beginning
			case a.was != nil && b.was == nil:
				return -1
			case a.was == nil && b.was != nil:
				return 1
			}
			return strings.Compare(a.entry.Tool.Name, b.entry.Tool.Name)
		})
	default:
		last := srv.Last
		if srv.ID == "" {
			m := p.memory[memoryKey(r.launch)]
			last, r.used, r.lacks = m.tools, m.used, m.lacks
		}
		for _, t := range last {
			if t != nil && t.Name != "" {
				id := cmp.Or(srv.ID, registry.ServerID(r.name))
				r.tools = append(r.tools, p.tool(registry.Entry{Name: registry.Qualify(id, t.Name), Server: id, Tool: t, Bundled: r.bundled.Name != ""}, !slices.Contains(off, t.Name)))
			}
		}
	}
	for _, t := range r.tools {
		if t.on && t.wrong == "" {
			r.tokens += t.tokens
		}
	}
	r.begins = p.On.Starting != nil && r.bundled.Name == "" && p.On.Starting(r.launch)
	r.state = stateOf(*r, p.changed(r.server))
}

// tool describes one tool.
func (p *Page) tool(e registry.Entry, on bool) tool {
	t := tool{entry: e, on: on, title: view.ToolTitle(e.Tool), effect: view.EffectOf(e), tokens: p.costs.of(e)}
	t.fixed = fixed(e)
	if d := p.suspended(e); d != nil && on {
		t.was = &d.Was
	}
	t.asks = !t.fixed && (p.Policy == nil || !p.Policy.Allows(e, nil))
	return t
}

// fixed reports whether a tool never asks, because it is a read-only tool of goated's own
// servers.
func fixed(e registry.Entry) bool {
	return e.Bundled && e.Tool.Annotations != nil && e.Tool.Annotations.ReadOnlyHint
}

// stateOf describes the state of a server. changed is the number of its tools that changed
// since the user allowed them.
func stateOf(r row, changed int) state {
	s := r.server
	switch {
	case s.ID == "" && r.begins:
		return state{words: "Starting…", color: kit.ColorMuted, starts: true}
	case s.ID == "" && r.lacks:
		return state{words: "Needs a value", color: kit.ColorWarn, needs: true}
	case s.ID == "" && !r.on:
		return state{words: "Off", color: kit.ColorMuted}
	case s.ID == "":
		return state{words: "Not running", color: kit.ColorMuted}
	case s.Status == client.Connecting:
		return state{words: "Starting…", color: kit.ColorMuted, starts: true}
	case s.Status == client.Failed && !s.RetryAt.IsZero():
		return state{words: "Restarting…", color: kit.ColorWarn, starts: true}
	case s.Status == client.Failed && errors.Is(s.Err, oauth.ErrSignIn):
		return state{words: "Sign in again", color: kit.ColorWarn, needs: true}
	case s.Status == client.Failed && view.DiagnosisOf(s.Err).Cause == diagnose.SignInNeeded:
		return state{words: "Wants a sign-in or a key", color: kit.ColorWarn, needs: true}
	case s.Status == client.Failed && view.DiagnosisOf(s.Err).Cause == diagnose.KeyRefused:
		return state{words: "Does not accept its key", color: kit.ColorWarn, needs: true}
	case s.Status == client.Failed && valueMissing(s):
		return state{words: missingWords(view.DiagnosisOf(s.Err).Args.Subject), color: kit.ColorWarn, needs: true}
	case s.Status == client.Failed && errors.Is(s.Err, client.ErrReach):
		return state{words: "Can't be reached", color: kit.ColorBad, needs: true}
	case s.Status == client.Failed && errors.Is(s.Err, client.ErrExited):
		return state{words: "Ended by itself", color: kit.ColorBad, needs: true}
	case s.Status == client.Failed:
		return state{words: "Didn't start", color: kit.ColorBad, needs: true}
	case changed > 0:
		return state{words: view.ToolCount(changed) + " changed", color: kit.ColorWarn, needs: true}
	case len(s.Needs) > 0 && !s.Bundled && !s.NoSandbox:
		return state{words: "Lacks a permission", color: kit.ColorWarn, needs: true}
	}
	return state{words: "Ready", color: kit.ColorGood}
}

// valueMissing reports whether a server is not running because goated cannot read one of its
// stored values.
func valueMissing(s client.Server) bool {
	return view.DiagnosisOf(s.Err).Cause == diagnose.ValueMissing
}

// missingWords formats the names of missing values for a row.
func missingWords(names string) string {
	if strings.Contains(names, " and ") {
		return "Values are missing"
	}
	return wording.VariableLabel(names) + " is missing"
}

// initials returns the two letters for a server's badge.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return "?"
	}
	first := []rune(words[0])
	if len(words) > 1 {
		return string(unicode.ToUpper(first[0])) + string(unicode.ToUpper([]rune(words[1])[0]))
	}
	out := string(unicode.ToUpper(first[0]))
	if len(first) > 1 {
		second := first[1]
		for _, r := range first[1:] { // GitHub becomes GH
			if unicode.IsUpper(r) {
				second = r
				break
			}
		}
		out += string(second)
	}
	return out
}

// matches returns the rows that match a search text and a filter, with their matching tools. If
// the server itself matches, its row has all tools.
func matches(all []row, text string, only filter) []row {
	words := strings.Fields(strings.ToLower(text))
	has := func(s string) bool {
		s = strings.ToLower(s)
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(s, w) })
	}
	var out []row
	for _, r := range all {
		if only == onlyOn && !r.on || only == onlyNeeds && !r.state.needs {
			continue
		}
		if len(words) > 0 && !has(r.name+" "+r.source) {
			tools := slices.DeleteFunc(slices.Clone(r.tools), func(t tool) bool { return !has(r.name + " " + t.title + " " + t.entry.Tool.Name) })
			if len(tools) == 0 {
				continue
			}
			r.tools = tools
		}
		out = append(out, r)
	}
	return out
}
