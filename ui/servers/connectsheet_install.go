package servers

import (
	"context"
	"errors"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/errtext"
	"goated/internal/install"
	"goated/internal/launch"
	"goated/ui/kit"
)

// An Installer installs servers that do not start with a simple command. Named and Bundle first
// read what the server needs. They call done when its form opens, or with the reason why it does
// not. The reason is [context.Canceled] after Stop or after another choice.
type Installer interface {
	Search(words string)                  // searches the MCP registry for words
	Named(name string, done func(error))  // installs a server of the registry
	Bundle(path string, done func(error)) // installs a .mcpb file
	Stop()                                // cancels the reading of what a server needs
}

// reads returns the function of the sheet that starts an installation. Until the form opens, the
// sheet says that it is busy, and Esc cancels.
func (f connectFlow) reads(start func(what string, done func(error))) func(string) {
	return func(what string) {
		c := f.Connector
		c.Fail(nil)
		c.busy(true)
		c.Status.Set("Reading what it needs…")
		start(what, func(err error) {
			if f.Connector != c || f.connecting != nil { // the user closed the sheet, or connects another server
				return
			}
			c.busy(false)
			f.Sheets.Focus(c.Sheet, c.Path)
			if err != nil && !errors.Is(err, context.Canceled) {
				c.showMessage(errtext.PlainSentence(err), "")
			}
		})
	}
}

// stopReading cancels the reading of what a server needs.
func (f connectFlow) stopReading() {
	if f.Catalog != nil {
		f.Catalog.Stop()
	}
}

// install starts an installation if the text names something to install: a bundle, a server of
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

// installable describes what the text installs. It returns empty strings if the text installs
// nothing.
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

// searchTitle is the title of the button that opens the search.
const searchTitle = "Search the MCP registry"

// wordsWidth is the width of the words in the search button. It suits a narrow window, too.
const wordsWidth = 150

// nameSearch adds the words to the search button if the text can only be words to search for.
// After a command or a path it hides the button, so that Tab does not stop at a button with
// nothing to search for.
func (c *connectSheet) nameSearch(err error) {
	title, words := searchTitle, searchWords(c.Path.Text)
	c.finds.Hidden = c.OnSearch == nil || words == "" && strings.TrimSpace(c.Path.Text) != ""
	if p := (*launch.Problem)(nil); errors.As(err, &p) && p.Kind == launch.NoProgram && words != "" {
		title += " for “" + kit.NewLabel(words, 12, kit.ColorText).Elided().Fit(wordsWidth) + "”" // the field above shows all of them
	}
	if c.search.Text != title {
		c.search.SetText(title)
	}
}

// searchWords returns the text if it may be words to search for, otherwise "".
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

// AddInstalled saves and starts an installed server, and closes the sheet.
func AddInstalled(ps *Pages, l config.Launch) {
	if ps.Secrets.Persistent() {
		l = l.WithoutSecrets()
	}
	ps.storeSecrets(l, func(kept config.Launch) { ps.Change(ps.Settings.WithRecent(kept).WithStart(kept, true)) })
	ps.closeConnect()
	ps.Toasts.Say("check", l.DisplayName()+" is installed and starts now")
	if ps.Host == nil {
		return
	}
	start := consent.WithSavedPermissions(*ps.Settings, consent.ConfigOf(l))
	startSaved(ps, start)
}

// Update saves the updated form of a saved server, and starts it in place of the running one.
func Update(ps *Pages, was, now config.Launch) {
	if ps.Secrets.Persistent() {
		now = now.WithoutSecrets()
	}
	now.Off = false
	ps.storeSecrets(now, func(kept config.Launch) { ps.Change(config.WithUpdated(*ps.Settings, was, kept).WithRecent(kept)) })
	ps.closeConnect()
	ps.Toasts.Say("check", now.DisplayName()+" is updated and starts now")
	if ps.Host == nil {
		return
	}
	start := consent.ConfigOf(now)
	ps.Go(func() {
		for _, s := range ps.Host.Snapshot().Servers {
			if consent.LaunchOfServer(s).Same(was) {
				_ = ps.Host.Disconnect(ps.Ctx, s.ID) // an error means that it is gone already or that the window closes
			}
		}
		client.KeepFolder(ps.Host, consent.ConfigOf(was), start)
		_, _ = client.ConnectSaved(ps.Ctx, ps.Host, start)
	})
}
