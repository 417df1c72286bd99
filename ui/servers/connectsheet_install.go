package servers

import (
	"errors"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/install"
	"goated/internal/launch"
	"goated/ui/kit"
)

// An Installer installs servers that a person does not start by a command.
type Installer interface {
	Search(words string) // asks for words to find in the MCP registry
	Named(name string)   // of the registry
	Bundle(path string)  // a .mcpb file
}

// install begins what the text names, if that has to be installed: a bundle, a server of
// the registry, or words to search for. It reports whether it did.
func (c *connectSheet) install() bool {
	if c.OnSearch == nil {
		return false
	}
	text := strings.TrimSpace(c.read.text(c.Path.Text))
	if install.IsSource(text) {
		c.OnNamed(text)
		return true
	}
	text = strings.TrimSpace(c.Path.Text)
	r, err := c.OnRead(c.read.text(c.Path.Text))
	var p *launch.Problem
	switch {
	case err == nil && len(r.Servers) == 1 && r.Servers[0].Kind == launch.Bundle:
		c.OnBundle(r.Servers[0].Path)
		return true
	case errors.As(err, &p) && p.Kind == launch.NoProgram && searchWords(text) != "":
		c.OnSearch(text)
		return true
	}
	return false
}

// installable says what the text installs; empty if it installs nothing.
func (c *connectSheet) installable(text string) (title, note string) {
	if c.OnNamed == nil {
		return "", ""
	}
	switch source, name := install.SourceOf(text); source {
	case install.Registry:
		return name + " is a server of the MCP registry", "“Add and start” shows what it installs and asks for its settings. Nothing runs before."
	case install.Entry:
		return name + " is described by this server.json", "“Add and start” shows what it installs and asks for its settings. Nothing runs before."
	case install.Download:
		return name + " is a bundle to download", "“Add and start” downloads it, and then shows its name, its version and its SHA-256. Nothing runs before you install it."
	}
	return "", ""
}

// searchTitle is the button that opens the search.
const searchTitle = "Search the MCP registry"

// wordsWidth is the room for the words in searchTitle's button, in a narrow window too.
const wordsWidth = 150

// nameSearch says what the search looks for, if the text can only be words for it. Behind a
// command or a path, the keyboard passes no button that has nothing to search for.
func (c *connectSheet) nameSearch(err error) {
	title, words := searchTitle, searchWords(c.Path.Text)
	c.finds.Hidden = c.OnSearch == nil || words == "" && strings.TrimSpace(c.Path.Text) != ""
	if p := (*launch.Problem)(nil); errors.As(err, &p) && p.Kind == launch.NoProgram && words != "" {
		title += " for “" + kit.NewLabel(words, 12, kit.ColorText).Elided().Fit(wordsWidth) + "”" // the field above has all of them
	}
	if c.search.Text != title {
		c.search.SetText(title)
	}
}

// searchWords returns a text if it may be words to search for, and otherwise empty.
func searchWords(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 60 || strings.ContainsAny(text, "/\\{}[]\"=<>|&;$@\n") {
		return ""
	}
	for _, word := range strings.Fields(text) {
		if strings.HasPrefix(word, "-") {
			return "" // an option of a command
		}
	}
	return text
}

// Adopt saves and starts a server that was installed, and closes the sheet.
func Adopt(ps *Pages, l config.Launch) {
	if ps.Secrets.Lasting() {
		l = l.WithoutSecrets()
	}
	ps.keepLaunch(l, func(kept config.Launch) { ps.Change(ps.Settings.Used(kept).Start(kept, true)) })
	ps.closeConnect()
	ps.Toasts.Say("check", l.Called()+" is installed and starts now")
	if ps.Host == nil {
		return
	}
	start := consent.Remembered(*ps.Settings, consent.ConfigOf(l))
	startSaved(ps, start)
}

// Update saves what a saved server became by an update, and starts it in the place of the one
// that runs.
func Update(ps *Pages, was, now config.Launch) {
	if ps.Secrets.Lasting() {
		now = now.WithoutSecrets()
	}
	now.Off = false
	ps.keepLaunch(now, func(kept config.Launch) { ps.Change(config.Updated(*ps.Settings, was, kept).Used(kept)) })
	ps.closeConnect()
	ps.Toasts.Say("check", now.Called()+" is updated and starts now")
	if ps.Host == nil {
		return
	}
	start := consent.ConfigOf(now)
	ps.Go(func() {
		for _, s := range ps.Host.Snapshot().Servers {
			if consent.Of(s).Same(was) {
				_ = ps.Host.Disconnect(ps.Ctx, s.ID) // it is gone already, or the window closes
			}
		}
		_, _ = client.ConnectSaved(ps.Ctx, ps.Host, start)
	})
}
