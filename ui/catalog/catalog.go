// Package catalog draws the sheets that install servers: the search in the MCP registry, and the
// form for the values that a server needs before its first start. It owns the user's input in
// these sheets. It saves and starts nothing: it passes the server to [Pages.Installed]. It must
// not depend on other pages.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/catalog"
	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/install"
	"goated/internal/safetext"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/shell"
)

// Pages opens the sheets. It belongs to the UI goroutine.
type Pages struct {
	*shell.Shell
	Installer install.Installer
	Promise   func() string       // describes how far this system will confine the next server; see [view.ExpectedConfinement]
	Installed func(config.Launch) // saves and starts the server
	Updated   func(was, now config.Launch)

	open      *search            // nil unless the search is open
	preparing context.CancelFunc // cancels the latest preparation; nil: there was none
}

// maxResults limits the rows of a search.
const maxResults = 20

// pause is how long the user must stop typing before the search starts.
const pause = 350 * time.Millisecond

// A search is the open sheet of a search.
type search struct {
	pages  *Pages
	sheet  *kit.Sheet
	field  *kit.Input
	status *kit.Paragraph
	rows   *fyne.Container
	cancel context.CancelFunc // cancels the running search
	asked  int                // the number of the latest search
	timer  *time.Timer        // runs while the user types; nil if it is not running
}

// Search opens the search in the registry with the given words.
func (p *Pages) Search(words string) {
	if p.open != nil {
		return
	}
	s := &search{pages: p, field: kit.NewInput(p.Clock, "What it does, or its name", false), status: kit.NewText("", 13, 20, kit.ColorMuted), rows: kit.Vertical(0)}
	s.field.OnTyped = s.typed
	s.field.OnSubmit = s.run
	s.field.Put(words)
	body := kit.Vertical(12,
		kit.NewText("Servers that their makers published in the official MCP registry. Nothing is installed before you choose it.", 13, 20, kit.ColorMuted),
		kit.NewField(s.field), s.status, s.rows)
	s.sheet = kit.NewSheet(720, "Find a server", body, nil)
	s.sheet.First = s.field
	s.sheet.OnClose = s.close
	p.open = s
	p.Sheets.Open(s.sheet)
	s.run()
}

// close ends the search.
func (s *search) close() {
	s.stop()
	s.pages.open = nil
	s.pages.Sheets.Shut(s.sheet)
}

// stop cancels the running search, and the preparation of a server that it found.
func (s *search) stop() {
	s.pages.Stop()
	s.asked++
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

// typed starts a search once the user stops typing.
func (s *search) typed() {
	s.stop()
	now := s.asked
	s.timer = time.AfterFunc(pause, func() {
		s.pages.Post(func() {
			if s.asked == now && s.pages.open == s {
				s.run()
			}
		})
	})
}

// run queries the registry.
func (s *search) run() {
	s.stop()
	words := strings.TrimSpace(s.field.Text)
	s.rows.Objects = nil
	if words == "" {
		s.say("Enter what the server should do, such as “github” or “read pdf”.")
		return
	}
	s.say("Searching…")
	ctx, cancel := context.WithCancel(s.pages.Ctx)
	s.cancel = cancel
	now := s.asked
	s.pages.Go(func() {
		defer cancel()
		found, err := s.pages.Installer.Catalog.Search(ctx, words, maxResults)
		s.pages.Post(func() {
			if s.asked == now && s.pages.open == s {
				s.show(found, err)
			}
		})
	})
}

func (s *search) say(text string) {
	s.status.SetText(text)
	s.status.Hidden = text == ""
	s.sheet.Refit()
}

// show shows the results from the registry.
func (s *search) show(found catalog.Results, err error) {
	switch {
	case err != nil:
		s.say("goated can't search the registry: " + errtext.PlainSentence(err) + " Press Enter to try again.")
		return
	case len(found.Servers) == 0:
		s.say("The registry has no server that matches. Use fewer or other words, or paste what the server's README says.")
		return
	case !found.At.IsZero():
		s.say("goated can't reach the registry. This is its answer from " + found.At.Local().Format("2 January, 15:04") + ".")
	case found.More:
		s.say("There are more. Add a word to narrow them down.")
	default:
		s.say("")
	}
	for i, one := range found.Servers {
		if i > 0 {
			s.rows.Add(kit.NewLine())
		}
		s.rows.Add(s.row(one))
	}
	s.sheet.Refit()
}

// row returns the row of a server, with the best way to install it.
func (s *search) row(one catalog.Server) fyne.CanvasObject {
	title := kit.NewLabel(safetext.Name(one.Label()), 13, kit.ColorText).Strong()
	name := kit.NewLabel(safetext.Name(one.Name), 11, kit.ColorFaint).Mono().Elided()
	how := "goated can't install it: it has neither a package nor an address."
	var way *catalog.Way
	for _, w := range one.Ways() {
		if w.Why == nil {
			way, how = &w, w.Label
			break
		}
		how = "goated can't install it: " + w.Why.Error() + "."
	}
	if one.Registry.Status == "deprecated" {
		how = "Deprecated by its maker. " + how
	}
	words := kit.Vertical(1,
		container.New(kit.Row{Gap: 8, Flex: name}, title, name),
		kit.NewText(safetext.Cut(one.Description, 300), 12, 18, kit.ColorMuted),
		kit.NewText(safetext.Cut(how, 300), 12, 18, kit.ColorFaint))
	row := kit.Inset(kit.Margin{Top: 10, Bottom: 10}, words)
	if way == nil {
		return row
	}
	b := kit.NewButton(kit.Outline, "", "Install…", func() { s.choose(one, *way) }).Small()
	return container.New(kit.Row{Gap: 12, Flex: row}, row, b)
}

// choose prepares the installation of a server. It downloads a bundle first.
func (s *search) choose(one catalog.Server, way catalog.Way) {
	s.say("Reading what it needs…")
	s.pages.prepare(func(ctx context.Context) (*install.Choice, error) { return s.pages.Installer.Choose(ctx, one, way) }, func(err error) {
		switch {
		case errors.Is(err, context.Canceled): // by another choice or another search, which says what it does
		case err != nil:
			s.say(errtext.PlainSentence(err))
		default:
			s.say("")
		}
	})
}

// An installForm asks for the values that a server needs, and installs the server.
type installForm struct {
	pages  *Pages
	choice *install.Choice
	form   *form.Form
	sheet  *kit.Sheet
	status *kit.Paragraph
	start  *kit.Button
	ctx    context.Context // cancelled when the form closes
	cancel context.CancelFunc
	busy   bool // the installation is running, and will close the choice
	copies bool // the user wants a copy of a server that is already saved
}

// newForm opens the form for a choice.
func newForm(p *Pages, c *install.Choice) {
	f := &installForm{pages: p, choice: c, status: kit.NewText("", 13, 20, kit.ColorBad)}
	f.ctx, f.cancel = context.WithCancel(p.Ctx)
	f.status.Hide()
	pinned := kit.NewText(safetext.Cut(c.Label, 400), 12, 18, kit.ColorMuted)
	lead := []fyne.CanvasObject{kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 12), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14},
		kit.Vertical(2, pinned, kit.NewText(p.Promise()+" goated keeps this version until you install another one.", 12, 18, kit.ColorMuted)))}
	f.form = form.NewGuarded(p.Shell, schemaOf(c.Inputs), lead)
	f.form.OnSubmit = f.submit
	f.form.Root.Add(f.status)
	f.start = kit.NewButton(kit.Primary, "plug", "Install and start", f.submit)
	cancel := kit.NewButton(kit.Outline, "", "Cancel", f.close)
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	f.sheet = kit.NewSheet(560, "Install "+safetext.Name(c.Name), f.form.Root, kit.Horizontal(8, gap, gap, cancel, f.start))
	f.form.Sheet = f.sheet
	f.sheet.Holds = func() bool { return f.busy || f.form.Entered() }
	f.sheet.First = f.form.First(f.start)
	f.sheet.OnClose = f.close
	p.Sheets.Open(f.sheet)
}

// close closes the form and cancels a running installation.
func (f *installForm) close() {
	f.cancel()
	if !f.busy {
		f.choice.Close()
	}
	f.pages.Sheets.Shut(f.sheet)
}

// submit installs the server with the values of the form.
func (f *installForm) submit() {
	if f.busy {
		return
	}
	entered, ok := f.form.Submit()
	if !ok {
		return
	}
	values, err := valuesOf(f.choice.Inputs, entered)
	if err != nil {
		f.fail(err)
		return
	}
	f.busy = true
	f.start.SetEnabled(false)
	f.start.SetText("Installing…")
	f.status.Hide()
	p := f.pages
	p.Go(func() {
		l, err := p.Installer.Install(f.ctx, f.choice, values)
		closed := f.ctx.Err() != nil // by the user, or with the window, in which case the function below never runs
		if closed {
			f.choice.Close()
		}
		p.Post(func() {
			if f.ctx.Err() != nil {
				if !closed {
					f.choice.Close()
				}
				return
			}
			f.busy = false
			if err != nil {
				f.again("Install and start")
				f.fail(err)
				return
			}
			f.installed(l)
		})
	})
}

// installed saves and starts an installed server. If the user already has the server, it asks
// first.
func (f *installForm) installed(l config.Launch) {
	p := f.pages
	was, now, updates := p.Installer.Updates(l, p.Settings.Launch)
	if !updates && !f.copies {
		if what, name := f.alreadySaved(l); name != "" {
			f.copies = true
			f.again("Add a copy and start")
			f.tell(what + " is already saved as " + safetext.Name(name) + ". Press the button again to add a copy of it, such as one for another account.")
			return
		}
	}
	f.close()
	if p.open != nil {
		p.open.close()
	}
	if updates {
		p.Updated(was, now)
		return
	}
	l.Name = config.UnusedName(l.DisplayName(), p.Settings.ServerNames(nil))
	p.Installed(l)
}

// alreadySaved returns the name of a saved server that is the same, or another version of it.
func (f *installForm) alreadySaved(l config.Launch) (what, name string) {
	if twin, ok := config.FindDuplicate(*f.pages.Settings, l, false); ok {
		return "It", twin
	}
	name, _ = install.OtherVersion(l, f.pages.Settings.Launch)
	return "Another version of it", name
}

// again lets the user press the button again.
func (f *installForm) again(label string) {
	f.start.SetText(label)
	f.start.SetEnabled(true)
}

// fail explains why nothing was installed.
func (f *installForm) fail(err error) {
	f.tell(fmt.Sprintf("goated did not install it: %s", errtext.PlainSentence(err)))
}

// tell shows a sentence below the form.
func (f *installForm) tell(text string) {
	f.status.SetText(text)
	f.status.Show()
	f.sheet.Refit()
}
