package ui

import (
	"errors"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/say"
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
	tried   view.Launch     // that was connected last from the form, whose failure is told there
	about   client.Server   // that the form's card is about; none where nothing was started
	seen    client.Snapshot
	recent  []view.Launch
	home    string // for ~
	clock   *clock
	now     func() time.Time
	counts  *beat            // counts down while a server waits for its next start
	waits   []countdown      // what it counts
	folded  map[string]*bool // by server: whether the details of its failure are hidden

	OnConnect    func(view.Launch) // with the values of its environment
	OnAgain      func(view.Launch) // one of before, as it was kept
	OnEdit       func(view.Launch) // likewise, to be changed first
	OnCancel     func()
	OnBrowse     func()
	OnReplace    func(client.Server) // by a script that is looked for
	OnDisconnect func(client.Server)
	OnVisit      func(client.Server)
	OnForget     func(view.Launch)
	OnCopy       func(string)
	OnRestart    func(client.Server)
	OnAllow      func(client.Server, sandbox.Permission)
	OnOpen       func(path string)
	OnSet        func(client.Server) // its environment
	OnLog        func(client.Server)
}

// A countdown says when a server is started again.
type countdown struct {
	server client.Server
	words  *label
}

// newConnector makes the sheet. home is the folder that ~ stands for; keyring
// says whether there is one.
func newConnector(clk *clock, now func() time.Time, tips *tips, home string, keyring bool) *connector {
	c := &connector{tips: tips, home: home, clock: clk, now: now, folded: make(map[string]*bool), form: newLaunchForm(clk, keyring, home)}
	c.path = newInput(clk, "/path/to/server.py", false)
	c.path.OnTyped = func() { c.fail(nil) }
	c.form.args.OnTyped, c.form.dir.OnTyped = c.path.OnTyped, c.path.OnTyped
	c.path.OnRefuse = func(s string) { c.say(s, "") }
	c.form.refuses(c.path.OnRefuse)
	c.path.OnSubmit = c.submit
	c.form.submits(c.submit)
	c.more = newButton(ghost, "chevron-right", say.S("Environment and folder"), func() { c.widen(c.extra.Hidden) }).small()
	c.browse = newButton(outline, "folder", say.S("Browse…"), func() {
		if c.OnBrowse != nil {
			c.OnBrowse()
		}
	})
	c.connect = newButton(primary, "plug", say.S("Connect"), c.submit)
	c.spin = newSpinner(clk)
	c.status = newLabel("", 13, colorMuted).elided()
	cancel := newButton(outline, "", say.S("Cancel"), func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	})
	path := newField(c.path)
	c.problem = vertical(0)
	c.problem.Hide()
	c.title = newLabel(say.S("SERVERS"), 11, colorFaint).medium()
	c.list = vertical(8)
	c.past = vertical(8)
	c.extra = vertical(0,
		inset(margin{8, 0, 6, 0}, newLabel(say.S("Environment"), 13, colorText).strong()), c.form.vars.root,
		inset(margin{12, 0, 6, 0}, newLabel(say.S("Working directory"), 13, colorText).strong()), newField(c.form.dir))
	c.extra.Hide()
	body := vertical(0,
		newText(say.S("goated runs the script on this computer, talks MCP with it, and stops it when you disconnect. A script ends in .py, .js or .go."), 13, 20, colorMuted),
		inset(margin{14, 0, 6, 0}, newLabel(say.S("Script"), 13, colorText).strong()),
		container.New(row{gap: 8, flex: path}, path, c.browse),
		inset(margin{12, 0, 6, 0}, newLabel(say.S("Arguments"), 13, colorText).strong()),
		newField(c.form.args),
		inset(margin{6, 0, 0, -9}, horizontal(0, nil, c.more)),
		c.extra,
		c.problem,
		inset(margin{14, 0, 0, 0}, horizontal(8, c.status, c.spin, c.status, cancel, c.connect)),
		inset(margin{18, 0, 8, 0}, c.title),
		c.list,
		c.past,
	)
	c.sheet = newSheet(620, say.S("Connect a tool"), body, nil)
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
		c.say(say.S("Enter the path of a server script."), "")
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
		c.say(view.Sentence(err.Error()), "")
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
		c.status.set(say.S("Starting the server…"))
	} else {
		c.path.Enable()
		c.status.set("")
	}
	c.refit()
}

// fail shows an error, what to do about it, and what the server wrote; nil takes
// it away. One of a server that was started is told of that server; see explain.
func (c *connector) fail(err error) {
	if err != nil {
		yes := true
		c.tell(c.why(client.Server{}, &yes).card(client.Server{}, err))
		return
	}
	if c.problem.Visible() || c.tried.Path != "" {
		c.problem.Hide()
		c.trying(view.Launch{})
	}
}

// trying notes what is being connected from the form. Where that is nothing, the
// failure of what was is told in the list.
func (c *connector) trying(l view.Launch) {
	if c.about, c.tried = (client.Server{}), l; l.Path == "" {
		c.show(c.seen)
	}
}

// mine reports whether s is what was tried from the form: where it fails it is
// told there, and nowhere else.
func (c *connector) mine(s client.Server) bool {
	return c.tried.Path != "" && s.Path == c.tried.Path && slices.Equal(s.Args, c.tried.Args)
}

// lost reports whether s is what was tried, and failed.
func (c *connector) lost(s client.Server) bool { return s.Status == client.Failed && c.mine(s) }

// explain shows in the form why the server that was tried there does not run, as
// long as it is so.
func (c *connector) explain(s client.Snapshot) {
	i := slices.IndexFunc(s.Servers, c.lost)
	switch {
	case i >= 0:
		c.about = s.Servers[i]
		c.tell(c.failed(c.about))
	case c.about.ID != "":
		c.about = client.Server{}
		c.problem.Hide()
	}
}

func (c *connector) say(text, advice string) {
	words := newText(text, 13, 20, colorText)
	words.style.Bold = true
	parts := []fyne.CanvasObject{words}
	if advice != "" {
		parts = append(parts, newText(advice, 13, 20, colorMuted))
	}
	column := vertical(4, parts...)
	c.tell(boxed(newPanel(colorBadSoft, colorNone, 10), margin{11, 14, 12, 14},
		container.New(row{gap: 10, flex: column, top: true}, sized(16, 20, newGlyph("alert", 16, colorBad)), column)))
}

// tell shows what is wrong.
func (c *connector) tell(box fyne.CanvasObject) {
	c.problem.Objects = []fyne.CanvasObject{inset(margin{14, 0, 0, 0}, box)}
	c.problem.Show()
	c.refit()
}

// show lists the servers.
func (c *connector) show(s client.Snapshot) {
	c.list.Objects, c.waits, c.seen = nil, nil, s
	c.explain(s)
	for _, srv := range s.Servers {
		if srv.Status != client.Disconnected {
			c.list.Add(c.server(srv))
		}
	}
	if len(c.list.Objects) == 0 {
		c.list.Add(newText(say.S("No server is connected yet."), 13, 20, colorMuted))
	}
	c.recall(s)
	c.count(len(c.waits) > 0)
	c.refit()
}

// count has the seconds counted that servers wait to be started again.
func (c *connector) count(on bool) {
	switch {
	case !on && c.counts != nil:
		c.clock.remove(c.counts)
		c.counts = nil
	case on && c.counts == nil:
		c.counts = c.clock.add(5, func() {
			for _, w := range c.waits {
				w.words.set(view.RetryNote(w.server, c.now()))
			}
		})
	}
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
	line := horizontal(12, names, sized(8, 8, newPanel(dot, colorNone, 4)), names, newShield(s), pill, remove)
	parts := []fyne.CanvasObject{line}
	under := func(o fyne.CanvasObject) { parts = append(parts, inset(margin{2, 4, 0, 20}, o)) }
	if s.Status == client.Connected && view.ShieldOf(s) != view.ShieldNone && s.Sandbox.Confined() {
		under(newLabel(view.ReachLine(s), 12, colorMuted).elided())
	}
	for _, reason := range view.ParkedReasons(s) {
		under(newText(reason, 12, 18, colorWarn))
	}
	if view.StrayNote(s) != "" {
		under(newStrayBadge(c.tips, s, func() {
			if c.OnLog != nil {
				c.OnLog(s)
			}
		}))
	}
	if s.Status == client.Failed && !c.mine(s) {
		under(c.failed(s))
	}
	spot := newHotspot(12, func() {
		if c.OnVisit != nil {
			c.OnVisit(s)
		}
	})
	spot.rest(colorSurface, colorBorder)
	return container.New(margin{}, spot, inset(margin{10, 10, 10, 14}, vertical(6, parts...)))
}

// newStrayBadge says that a server prints where it should not, and what to do.
func newStrayBadge(tips *tips, s client.Server, tapped func()) fyne.CanvasObject {
	badge := newButton(outline, "alert", view.StrayNote(s), tapped).small()
	tips.name(badge, view.StrayAdvice(s), shortcut{})
	gap := newLabel("", 12, colorFaint).elided()
	return horizontal(0, gap, badge, gap)
}

// failed says why a server is not there any more.
func (c *connector) failed(s client.Server) fyne.CanvasObject {
	err := s.Err
	if err == nil {
		err = errors.New(say.S("the connection is lost"))
	}
	if c.folded[s.ID] == nil {
		yes := true
		c.folded[s.ID] = &yes
	}
	why := c.why(s, c.folded[s.ID]).card(s, err)
	note := view.RetryNote(s, c.now())
	if note == "" {
		return why
	}
	words := newLabel(note, 12, colorMuted).medium().elided()
	c.waits = append(c.waits, countdown{s, words})
	return vertical(6, horizontal(8, words, newGlyph("clock", 14, colorMuted), words), why)
}

// why is the card of a server that does not run.
func (c *connector) why(s client.Server, folded *bool) whyFailed {
	f := whyFailed{folded: folded, OnResize: c.refit, OnCopy: func(text string) {
		if c.OnCopy != nil {
			c.OnCopy(text)
		}
	}, OnOpen: func(path string) {
		if c.OnOpen != nil {
			c.OnOpen(path)
		}
	}, OnBrowse: func() {
		if c.OnBrowse != nil {
			c.OnBrowse()
		}
	}}
	if s.ID == "" {
		return f
	}
	f.OnBrowse = func() { c.OnReplace(s) }
	f.OnRestart = func() { c.OnRestart(s) }
	f.OnEdit = func() { c.OnSet(s) }
	f.OnAllow = func(p sandbox.Permission) { c.OnAllow(s, p) }
	return f
}
