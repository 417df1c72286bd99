package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
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
	tried   config.Launch   // that was connected last from the form, whose failure is told there
	about   client.Server   // that the form's card is about; none where nothing was started
	seen    client.Snapshot
	recent  []config.Launch
	home    string // for ~
	clock   *clock
	now     func() time.Time
	counts  *beat            // counts down while a server waits for its next start
	waits   []countdown      // what it counts
	folded  map[string]*bool // by server: whether the details of its failure are hidden

	OnConnect    func(config.Launch) // with the values of its environment
	OnAgain      func(config.Launch) // one of before, as it was kept
	OnEdit       func(config.Launch) // likewise, to be changed first
	OnCancel     func()
	OnBrowse     func()
	OnReplace    func(client.Server) // by a script that is looked for
	OnDisconnect func(client.Server)
	OnVisit      func(client.Server)
	OnForget     func(config.Launch)
	OnCopy       func(string)
	OnRestart    func(client.Server)
	OnAllow      func(client.Server, sandbox.Permission)
	OnOpen       func(path string)
	OnSet        func(client.Server) // its environment
	OnLog        func(client.Server)
	OnLink       func(address string)
	OnLookIn     func(s client.Server, dir string) // for programs
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
	if c.connect.Disabled() {
		return
	}
	path := config.ScriptPath(c.path.Text, c.home)
	if path == "" {
		c.say("Enter the path of a server script.", "")
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
	l, err := c.form.read(config.Launch{Path: path})
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
func (c *connector) fill(l config.Launch) {
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
		c.list.Add(newText("No server is connected yet.", 13, 20, colorMuted))
	}
	c.recall(s)
	c.count(len(c.waits) > 0)
	c.refit()
}
