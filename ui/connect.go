package ui

import (
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/ui/view"
)

// A connector is the sheet that connects servers and lists them. It does no
// work: the window does what it asks for and tells it how that went.
type connector struct {
	*sheet
	path    *input
	form    *launchForm
	more    *button // opens what few servers need
	extra   *fyne.Container
	tips    *tips
	connect *button
	browse  *button
	spin    *spinner
	status  *label
	problem *fyne.Container
	title   *label
	list    *fyne.Container
	past    *fyne.Container // servers of before, under a title of their own
	recent  []view.Launch
	home    string // for ~

	OnConnect    func(view.Launch) // with the values of its environment
	OnAgain      func(view.Launch) // one of before, as it was kept
	OnEdit       func(view.Launch) // likewise, to be changed first
	OnCancel     func()
	OnBrowse     func()
	OnDisconnect func(client.Server)
	OnVisit      func(client.Server)
	OnForget     func(view.Launch)
	OnCopy       func(string)
}

// newConnector makes the sheet. home is the folder that ~ stands for; keyring
// says whether there is one.
func newConnector(clk *clock, tips *tips, home string, keyring bool) *connector {
	c := &connector{tips: tips, home: home, form: newLaunchForm(clk, keyring, home)}
	c.path = newInput(clk, "/path/to/server.py", false)
	c.path.OnTyped = func() { c.fail(nil) }
	c.form.args.OnTyped, c.form.dir.OnTyped = c.path.OnTyped, c.path.OnTyped
	c.path.OnRefuse = func(s string) { c.say(s, "", nil) }
	c.form.refuses(c.path.OnRefuse)
	c.path.OnSubmit = c.submit
	c.form.submits(c.submit)
	c.more = newButton(ghost, "chevron-right", "Environment and folder", func() { c.widen(c.extra.Hidden) }).small()
	c.browse = newButton(outline, "folder", "Browse…", func() {
		if c.OnBrowse != nil {
			c.OnBrowse()
		}
	})
	c.connect = newButton(primary, "plug", "Connect", c.submit)
	c.spin = newSpinner(clk)
	c.status = newLabel("", 13, colorMuted).elided()
	cancel := newButton(outline, "", "Cancel", func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	})
	path := newField(c.path)
	c.problem = vertical(0)
	c.problem.Hide()
	c.title = newLabel("SERVERS", 11, colorFaint).medium()
	c.list = vertical(8)
	c.past = vertical(8)
	c.extra = vertical(0,
		inset(margin{8, 0, 6, 0}, newLabel("Environment", 13, colorText).strong()), c.form.vars.root,
		inset(margin{12, 0, 6, 0}, newLabel("Working directory", 13, colorText).strong()), newField(c.form.dir))
	c.extra.Hide()
	body := vertical(0,
		newText("goated runs the script on this computer, talks MCP with it, and stops it when you disconnect. A script ends in .py, .js or .go.", 13, 20, colorMuted),
		inset(margin{14, 0, 6, 0}, newLabel("Script", 13, colorText).strong()),
		container.New(row{gap: 8, flex: path}, path, c.browse),
		inset(margin{12, 0, 6, 0}, newLabel("Arguments", 13, colorText).strong()),
		newField(c.form.args),
		inset(margin{6, 0, 0, -9}, horizontal(0, nil, c.more)),
		c.extra,
		c.problem,
		inset(margin{14, 0, 0, 0}, horizontal(8, c.status, c.spin, c.status, cancel, c.connect)),
		inset(margin{18, 0, 8, 0}, c.title),
		c.list,
		c.past,
	)
	c.sheet = newSheet(620, "Connect a tool", body, nil)
	c.form.vars.OnResize = c.refit
	c.first = c.path
	c.OnClose = func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	}
	return c
}

// submit checks what can be checked without starting anything.
func (c *connector) submit() {
	if c.connect.disabled {
		return
	}
	path := view.ScriptPath(c.path.Text, c.home)
	if path == "" {
		c.say("Enter the path of a server script.", "", nil)
		focus(c.path)
		return
	}
	if _, err := client.Command(path); err != nil {
		c.fail(err)
		focus(c.path)
		return
	}
	if c.form.wide() {
		c.widen(true) // so that what is wrong with it can be seen
	}
	l, err := c.form.read(view.Launch{Path: path})
	if err != nil {
		c.say(view.Sentence(err.Error()), "", nil)
		return
	}
	c.fail(nil)
	if c.OnConnect != nil {
		c.OnConnect(l)
	}
}

// fill puts a server into the form.
func (c *connector) fill(l view.Launch) {
	c.fail(nil)
	c.path.put(l.Path)
	c.form.put(l)
	c.widen(c.form.wide())
	c.body.scroll.ScrollToTop()
	focus(c.path)
}

// widen shows what few servers need, or hides it.
func (c *connector) widen(on bool) {
	c.extra.Hidden = !on
	if on {
		c.more.setIcon("chevron-down")
	} else {
		c.more.setIcon("chevron-right")
	}
	c.refit()
}

// busy shows that a connection is being made.
func (c *connector) busy(on bool) {
	c.connect.enable(!on)
	c.browse.enable(!on)
	c.spin.turn(on)
	c.form.enable(!on)
	if on {
		c.path.Disable()
		c.status.set("Starting the server…")
	} else {
		c.path.Enable()
		c.status.set("")
	}
	c.refit()
}

// fail shows an error, what to do about it, and what the server wrote; nil takes
// it away.
func (c *connector) fail(err error) {
	if err == nil {
		if c.problem.Visible() {
			c.problem.Hide()
			c.refit()
		}
		return
	}
	c.say(view.Sentence(err.Error()), strings.TrimSpace(view.Why(err)+" "+client.Advice(err)), view.Stderr(err))
}

func (c *connector) say(text, advice string, details []string) {
	words := newText(text, 13, 20, colorText)
	words.style.Bold = true
	parts := []fyne.CanvasObject{words}
	if advice != "" {
		parts = append(parts, newText(advice, 13, 20, colorMuted))
	}
	if len(details) > 0 {
		parts = append(parts, c.details(details))
	}
	column := vertical(4, parts...)
	box := boxed(newPanel(colorBadSoft, colorBad, 10), margin{11, 14, 12, 14},
		container.New(row{gap: 10, flex: column, top: true}, sized(16, 20, newGlyph("alert", 16, colorBad)), column))
	c.problem.Objects = []fyne.CanvasObject{inset(margin{14, 0, 0, 0}, box)}
	c.problem.Show()
	c.refit()
}

// details is what a server wrote, behind a button.
func (c *connector) details(lines []string) fyne.CanvasObject {
	text := strings.Join(lines, "\n")
	listing := stderrListing(text, func() {
		if c.OnCopy != nil {
			c.OnCopy(text)
		}
	})
	listing.Hide()
	var more *button
	more = newButton(ghost, "chevron-right", "Details", func() {
		listing.Hidden = !listing.Hidden
		if listing.Hidden {
			more.setIcon("chevron-right")
		} else {
			more.setIcon("chevron-down")
		}
		c.refit()
	}).small()
	gap := newLabel("", 12, colorFaint).elided()
	return vertical(4, inset(margin{0, 0, 0, -9}, horizontal(0, gap, more, gap)), listing)
}

func stderrListing(text string, copied func()) *fyne.Container {
	body := newText(text, 12, 18, colorText)
	body.style.Monospace = true
	return newListing("What the server last wrote", body, copied)
}

// show lists the servers.
func (c *connector) show(s client.Snapshot) {
	c.list.Objects = nil
	for _, srv := range s.Servers {
		if srv.Status != client.Disconnected {
			c.list.Add(c.server(srv))
		}
	}
	if len(c.list.Objects) == 0 {
		c.list.Add(newText("No server is connected yet.", 13, 20, colorMuted))
	}
	c.recall(s)
	c.refit()
}

// server is one row of the list.
func (c *connector) server(s client.Server) fyne.CanvasObject {
	dot, hint := statusColor(s.Status), "trash"
	if s.Status == client.Failed {
		hint = "close"
	}
	path := newLabel(view.ServerCommand(s), 12, colorMuted).mono().elided()
	name := newLabel(s.Name, 14, colorText).strong().elided()
	names := vertical(3, name, path)
	count := view.ServerStatus(s)
	if s.Status == client.Connected {
		count = view.ToolCount(len(s.Tools))
	}
	pill := boxed(newPanel(colorSoft, colorNone, 11), margin{3, 10, 3, 10}, newLabel(count, 12, colorText).medium())
	remove := newButton(ghost, hint, "", func() {
		if c.OnDisconnect != nil {
			c.OnDisconnect(s)
		}
	}).small()
	line := horizontal(12, names, sized(8, 8, newPanel(dot, colorNone, 4)), names, pill, remove)
	parts := []fyne.CanvasObject{line}
	for _, reason := range view.ParkedReasons(s) {
		text := newText(reason, 12, 18, colorWarn)
		parts = append(parts, inset(margin{2, 0, 0, 20}, text))
	}
	if note := view.StrayNote(s); note != "" {
		parts = append(parts, inset(margin{2, 0, 0, 20}, newText(note, 12, 18, colorWarn)))
	}
	if s.Status == client.Failed {
		parts = append(parts, c.failed(s))
	}
	spot := newHotspot(12, func() {
		if c.OnVisit != nil {
			c.OnVisit(s)
		}
	})
	spot.rest(colorSurface, colorBorder)
	return container.New(margin{}, spot, inset(margin{10, 10, 10, 14}, vertical(6, parts...)))
}

// mendListing is what to type in a terminal.
func mendListing(text string, copied func()) fyne.CanvasObject {
	body := newText(text, 12, 18, colorText)
	body.style.Monospace = true
	return newListing("In a terminal, this mends it", body, copied)
}

// failed says why a server is not there any more.
func (c *connector) failed(s client.Server) fyne.CanvasObject {
	err := s.Err
	if err == nil {
		err = errors.New("the connection is lost")
	}
	parts := []fyne.CanvasObject{newText(view.Sentence(err.Error()), 13, 19, colorBad)}
	if why := view.Why(err); why != "" {
		parts = append(parts, newText(why, 13, 19, colorText))
	}
	if advice := client.Advice(err); advice != "" {
		parts = append(parts, newText(advice, 13, 19, colorMuted))
	}
	if mend := view.Mend(err); mend != "" {
		parts = append(parts, inset(margin{4, 0, 2, 0}, mendListing(mend, func() {
			if c.OnCopy != nil {
				c.OnCopy(mend)
			}
		})))
	}
	lines := s.Stderr
	if len(lines) == 0 {
		lines = view.Stderr(err)
	}
	if len(lines) > 0 {
		all := strings.Join(lines, "\n")
		text := strings.Join(lines[max(0, len(lines)-5):], "\n")
		parts = append(parts, inset(margin{4, 0, 0, 0}, stderrListing(text, func() {
			if c.OnCopy != nil {
				c.OnCopy(all)
			}
		})))
	}
	return inset(margin{2, 4, 4, 20}, vertical(3, parts...))
}
