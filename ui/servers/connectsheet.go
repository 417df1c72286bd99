package servers

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/view"
)

// A connectSheet is the sheet that connects servers and lists them. It only
// calls its functions; its owner does the work and reports the outcome.
type connectSheet struct {
	*kit.Sheet
	connectForm
	serverList
	formActions
	serverActions

	tried config.Launch // the last launch of the form; the form shows its failure
	about client.Server // the server of the form's failure card; zero if none was started
	tips  *kit.Tooltips
	clock *kit.Clock
	now   func() time.Time
}

// A connectForm is the form of a script to connect.
type connectForm struct {
	Path    *kit.Input
	form    *runConfig
	more    *kit.Button // opens the fields for environment and folder
	extra   *fyne.Container
	connect *kit.Button
	browse  *kit.Button
	spin    *kit.Spinner
	Status  *kit.Label
	problem *fyne.Container
	home    string // for ~
}

// A serverList lists the servers under the form.
type serverList struct {
	title      *kit.Label
	list       *fyne.Container
	recentRows *fyne.Container // recent servers, under their own title
	seen       client.Snapshot
	recent     []config.Launch
	ticker     *kit.Beat        // counts down while a server waits for its next start
	countdowns []countdown      // the labels that count down
	folded     map[string]*bool // by server ID: whether the failure details are hidden
}

// formActions are the functions of the form and of the recent servers.
type formActions struct {
	OnConnect func(config.Launch) // with the values of the environment
	OnAgain   func(config.Launch) // a recent server as saved
	OnEdit    func(config.Launch) // a recent server, to change before it connects
	OnCancel  func()
	OnBrowse  func()
	OnForget  func(config.Launch)
}

// serverActions are the functions of a server in the list.
type serverActions struct {
	OnReplace    func(client.Server) // by a script that the user chooses
	OnDisconnect func(client.Server)
	OnVisit      func(client.Server)
	OnCopy       func(string)
	OnRestart    func(client.Server)
	OnAllow      func(client.Server, sandbox.Permission)
	OnOpen       func(path string)
	OnSet        func(client.Server) // its environment
	OnLog        func(client.Server)
	OnLink       func(address string)
	OnLookIn     func(s client.Server, dir string) // for programs
}

// newConnectSheet makes the sheet. The path ~ stands for home. keyring reports
// whether the system has a keyring.
func newConnectSheet(clk *kit.Clock, now func() time.Time, tips *kit.Tooltips, home string, keyring bool) *connectSheet {
	c := &connectSheet{tips: tips, clock: clk, now: now}
	c.home, c.form, c.folded = home, newRunConfig(clk, keyring, home), make(map[string]*bool)
	c.Path = kit.NewInput(clk, "/path/to/server.py", false)
	c.Path.OnTyped = func() { c.Fail(nil) }
	c.form.args.OnTyped, c.form.dir.OnTyped = c.Path.OnTyped, c.Path.OnTyped
	c.Path.OnRefuse = func(s string) { c.showMessage(s, "") }
	c.form.setOnRefuse(c.Path.OnRefuse)
	c.Path.OnSubmit = c.submit
	c.form.setOnSubmit(c.submit)
	c.more = kit.NewButton(kit.Ghost, "chevron-right", "Environment and folder", func() { c.showExtra(c.extra.Hidden) }).Small()
	c.browse = kit.NewButton(kit.Outline, "folder", "Browse…", func() {
		if c.OnBrowse != nil {
			c.OnBrowse()
		}
	})
	c.connect = kit.NewButton(kit.Primary, "plug", "Connect", c.submit)
	c.spin = kit.NewSpinner(clk)
	c.Status = kit.NewLabel("", 13, kit.ColorMuted).Elided()
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	})
	path := kit.NewField(c.Path)
	c.problem = kit.Vertical(0)
	c.problem.Hide()
	c.title = kit.NewLabel("SERVERS", 11, kit.ColorFaint).Medium()
	c.list = kit.Vertical(8)
	c.recentRows = kit.Vertical(8)
	c.extra = kit.Vertical(0,
		kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel("Environment", 13, kit.ColorText).Strong()), c.form.vars.root,
		kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel("Working directory", 13, kit.ColorText).Strong()), kit.NewField(c.form.dir))
	c.extra.Hide()
	body := kit.Vertical(0,
		kit.NewText("goated runs the script on this computer and stops it when you disconnect. A script ends in .py, .js or .go.", 13, 20, kit.ColorMuted),
		kit.Inset(kit.Margin{Top: 14, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel("Script", 13, kit.ColorText).Strong()),
		container.New(kit.Row{Gap: 8, Flex: path}, path, c.browse),
		kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel("Arguments", 13, kit.ColorText).Strong()),
		kit.NewField(c.form.args),
		kit.Inset(kit.Margin{Top: 6, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, nil, c.more)),
		c.extra,
		c.problem,
		kit.Inset(kit.Margin{Top: 14, Right: 0, Bottom: 0, Left: 0}, kit.Horizontal(8, c.Status, c.spin, c.Status, cancel, c.connect)),
		kit.Inset(kit.Margin{Top: 18, Right: 0, Bottom: 8, Left: 0}, c.title),
		c.list,
		c.recentRows,
	)
	c.Sheet = kit.NewSheet(620, "Connect a tool", body, nil)
	c.form.vars.OnResize = c.Refit
	c.First = c.Path
	c.OnClose = func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	}
	return c
}

// submit checks the form without starting a process, and calls OnConnect.
func (c *connectSheet) submit() {
	if c.connect.Disabled() {
		return
	}
	path := config.ScriptPath(c.Path.Text, c.home)
	if path == "" {
		c.showMessage("Enter the path of a server script.", "")
		kit.Focus(c.Path)
		return
	}
	if _, err := client.Command(path); err != nil {
		c.Fail(err)
		kit.Focus(c.Path)
		return
	}
	if c.form.hasExtra() {
		c.showExtra(true) // shows an error in these fields
	}
	l, err := c.form.read(config.Launch{Path: path})
	if err != nil {
		c.showMessage(view.Sentence(err.Error()), "")
		return
	}
	c.Fail(nil)
	if c.OnConnect != nil {
		c.OnConnect(l)
	}
}

// Fill fills the form from a launch.
func (c *connectSheet) Fill(l config.Launch) {
	c.Fail(nil)
	c.Path.Put(l.Path)
	c.form.put(l)
	c.showExtra(c.form.hasExtra())
	c.Body.Scroll.ScrollToTop()
	kit.Focus(c.Path)
}

// showExtra shows or hides the fields for environment and folder.
func (c *connectSheet) showExtra(on bool) {
	c.extra.Hidden = !on
	if on {
		c.more.SetIcon("chevron-down")
	} else {
		c.more.SetIcon("chevron-right")
	}
	c.Refit()
}

// busy shows that a connection is in progress.
func (c *connectSheet) busy(on bool) {
	c.connect.SetEnabled(!on)
	c.browse.SetEnabled(!on)
	c.spin.Turn(on)
	c.form.enable(!on)
	if on {
		c.Path.Disable()
		c.Status.Set("Starting the server…")
	} else {
		c.Path.Enable()
		c.Status.Set("")
	}
	c.Refit()
}

// show lists the servers.
func (c *connectSheet) show(s client.Snapshot) {
	c.list.Objects, c.countdowns, c.seen = nil, nil, s
	c.showFormFailure(s)
	for _, srv := range s.Servers {
		if srv.Status != client.Disconnected {
			c.list.Add(c.serverRow(srv))
		}
	}
	if len(c.list.Objects) == 0 {
		c.list.Add(kit.NewText("No server is connected yet.", 13, 20, kit.ColorMuted))
	}
	c.listRecent(s)
	c.runCountdowns(len(c.countdowns) > 0)
	c.Refit()
}
