package ui

import (
	"context"
	"encoding/json"
	"os"
	"slices"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/servers/desktop/live"
	"goated/servers/llmem/browse"
	"goated/ui/artifacts"
	"goated/ui/desktop"
	"goated/ui/inspector"
	"goated/ui/servers"
	"goated/ui/view"
)

// maxFolders is how many projects the settings remember.
const maxFolders = 8

// workPages are the inspector, the artifacts and the desktop. Each is nil if its options are
// missing.
type workPages struct {
	win       *Window
	inspector *inspector.Page
	artifacts *artifacts.Page
	desktop   *desktop.Page
	names     map[string]string // of servers by ID, including those that are gone
}

func newWorkPages(w *Window) *workPages {
	p := &workPages{win: w, names: make(map[string]string)}
	if o := w.options.Pages; o.Browse != nil {
		home, _ := os.UserHomeDir() // without it, paths are shown in full
		p.artifacts = artifacts.New(w.shell, artifacts.Hooks{
			Open: o.Browse, Start: p.firstFolder(), Home: home, Recent: func() []string { return w.prefs.current.Folders }, Keep: p.rememberFolder,
			Choose: w.shell.ChooseFolder,
			Model:  func() bool { return p.model() != nil }, Write: p.write, Cost: p.cost,
		})
		p.artifacts.Page.Nav = w.chats.Sidebar.Add("cube", "Artifacts", p.openArtifacts)
	}
	if r := w.options.Pages.Recorder; r != nil {
		p.inspector = inspector.New(w.shell, inspector.Hooks{
			Recorder: r, Name: p.name, Start: p.start, Definition: p.definition,
			Save:    func(name string, data []byte) { openSave(w.shell, name, data) },
			LookFor: w.shell.ChooseFile,
		})
		p.inspector.Page.Nav = w.chats.Sidebar.Add("activity", "Inspector", p.openInspector)
	}
	if v := w.options.Pages.Desktop; v != nil {
		p.desktop = desktop.New(w.shell, v)
		p.desktop.Page.Nav = w.chats.Sidebar.Add("monitor", "Desktop", p.openDesktop)
		p.desktop.OnState = p.updateDesktop
		p.updateDesktop(v.State())
	}
	return p
}

// updateDesktop updates the sidebar after a change of the desktop server.
func (p *workPages) updateDesktop(s live.State) {
	badge := ""
	if s.Halted {
		badge = "Stopped"
	}
	p.desktop.Nav.SetBadge(badge)
	p.win.chats.Sidebar.Reveal(p.desktop.Nav, s.Connected || p.win.shell.Main.Page() == p.desktop.Page)
	p.win.frame.layout()
}

// openDesktop opens or closes the page of the desktop.
func (p *workPages) openDesktop() { p.win.shell.Main.Toggle(p.desktop.Page, p.desktop.Open) }

// hasRunningDesktop reports whether a desktop server is running whose state of halting is halted.
func (p *workPages) hasRunningDesktop(halted bool) bool {
	s := live.State{}
	if v := p.win.options.Pages.Desktop; v != nil {
		s = v.State()
	}
	return s.Connected && s.Halted == halted
}

// close ends the work of the pages. Call it after all goroutines of the window have ended.
func (p *workPages) close() {
	if p.artifacts != nil {
		p.artifacts.Close()
	}
}

// openArtifacts opens or closes the page of the artifacts.
func (p *workPages) openArtifacts() { p.win.shell.Main.Toggle(p.artifacts.Page, p.artifacts.Open) }

// openInspector opens or closes the inspector.
func (p *workPages) openInspector() { p.win.shell.Main.Toggle(p.inspector.Page, p.inspector.Open) }

// see remembers the names of the servers, and reports whether one of them is new.
func (p *workPages) see(s client.Snapshot) (renamed bool) {
	for _, srv := range s.Servers {
		renamed = renamed || p.names[srv.ID] != srv.Name
		p.names[srv.ID] = srv.Name
	}
	return renamed
}

// name returns the name of the server with an ID that calls and messages contain. It looks
// among the servers that have run, then among the saved ones. If it finds none, it returns the
// ID.
func (p *workPages) name(id string) string {
	if name, ok := p.names[id]; ok {
		return name
	}
	return consent.ServerName(id, nil, p.win.prefs.current.Launch)
}

func (p *workPages) server(id string) (client.Server, bool) {
	all := p.win.servers.Snapshot.Servers
	i := slices.IndexFunc(all, func(s client.Server) bool { return s.ID == id })
	if i < 0 {
		return client.Server{}, false
	}
	return all[i], true
}

// log returns a function that opens the log of the server of a call, or nil if the server is
// gone.
func (p *workPages) log(c view.Card) func() {
	if _, ok := p.server(c.Server); !ok {
		return nil
	}
	return func() { p.win.servers.OpenServerAt(c.Server, servers.ServerLog) }
}

// inspect returns a function that shows the messages of a call in the inspector, or nil without
// an inspector.
func (p *workPages) inspect(c view.Card) func() {
	if p.inspector == nil {
		return nil
	}
	return func() { p.inspector.OpenCall(c.Server, c.Tool, c.Began) }
}

// start returns the flags with which a command connects a server. It returns none if the
// command connects it anyway or if the server is gone.
func (p *workPages) start(id string) []string {
	s, ok := p.server(id)
	switch {
	case !ok:
		return nil
	case !s.Bundled && view.ServerArgument(s) != "":
		return []string{"--server", view.ServerArgument(s)}
	case !s.Bundled || slices.ContainsFunc(p.win.options.Bundled, func(b config.Bundled) bool { return b.Name == s.Name && b.Default }):
		return nil
	}
	return []string{"--with", s.Name}
}

// definition returns the definition of a tool as JSON, or nil if the server does not list the
// tool.
func (p *workPages) definition(id, name string) []byte {
	s, _ := p.server(id)
	for _, e := range s.Tools {
		if e.Tool != nil && e.Tool.Name == name {
			if data, err := json.Marshal(e.Tool); err == nil {
				return data
			}
		}
	}
	return nil
}

// firstFolder returns the project of the working directory, otherwise the last one used.
func (p *workPages) firstFolder() string {
	if f := p.win.options.Pages.Folder; f != "" {
		return f
	}
	if all := p.win.prefs.current.Folders; len(all) > 0 {
		return all[0]
	}
	return ""
}

// rememberFolder moves a project to the front of the remembered ones.
func (p *workPages) rememberFolder(folder string) {
	s := p.win.prefs.current
	all := append([]string{folder}, slices.DeleteFunc(slices.Clone(s.Folders), func(f string) bool { return f == folder })...)
	s.Folders = all[:min(len(all), maxFolders)]
	p.win.prefs.change(s)
}

// model returns the model of new conversations, or nil if there is none.
func (p *workPages) model() agent.Model {
	s := p.win.options.Agent.NewSession()
	if !agent.CanAnswer(s.Model) {
		return nil
	}
	return s.Model
}

// write runs a prompt off the UI goroutine with the model of new conversations.
func (p *workPages) write(ctx context.Context, prompt string) (browse.Answer, error) {
	found := make(chan agent.Model, 1)
	p.win.tasks.post(func() { found <- p.model() })
	select {
	case m := <-found:
		text, _, err := agent.Complete(ctx, m, prompt)
		answer := browse.Answer{Text: text}
		if n, ok := m.(interface{ Name() string }); ok {
			answer.Model = n.Name()
		}
		return answer, err
	case <-ctx.Done():
		return browse.Answer{}, ctx.Err()
	}
}

// cost estimates the price of tokens for the model of new conversations, which write uses. It
// reports false for names without a list price, such as gemini-flash-latest.
func (p *workPages) cost(input, output int) (float64, bool) {
	return agent.Estimate(p.win.options.Agent.NewSession().Model, input, output)
}
