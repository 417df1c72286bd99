package servers

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/launch"
	"goated/internal/sandbox"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/runconfig"
)

// A connectSheet is the sheet that connects servers and lists them. It only calls its
// functions. Its owner does the work and reports the outcome.
type connectSheet struct {
	*kit.Sheet
	connectForm
	serverList
	formActions
	serverActions

	tried config.Launch // the last launch of the form; the form shows its failure
	last  attempt       // unlike tried, it stays while the user corrects the launch
	edit  *editing      // the server that the sheet edits; nil: the sheet adds a server
	keep  *kit.Button   // "Save anyway", which keeps a failed change
	intro *kit.Paragraph
	about client.Server // the server in the form's failure card; zero if no server was started
	tips  *kit.Tooltips
	clock *kit.Clock
	now   func() time.Time
}

// A connectForm is the form of a server to connect.
type connectForm struct {
	Path    *kit.Input // a command, a URL, a path or JSON
	read    *understanding
	form    *runconfig.Fields
	more    *kit.Button     // opens the fields for the environment and the working directory
	fold    *fyne.Container // the row of more
	extra   *fyne.Container
	connect *kit.Button
	browse  *kit.Button
	search  *kit.Button     // opens the search of the registry
	finds   *fyne.Container // the row of search
	spin    *kit.Spinner
	Status  *kit.Label
	problem *fyne.Container
	found   *fyne.Container // servers of other clients
	home    string          // replaces ~ in paths
}

// A serverList lists the servers under the form.
type serverList struct {
	others     *fyne.Container // the lists of servers below the form
	list       *fyne.Container
	recentRows *fyne.Container // recent servers, under their own title
	seen       client.Snapshot
	recent     []config.Launch
	ticker     *kit.Ticker      // counts down while a server waits for its next start
	countdowns []countdown      // the labels that count down
	folded     map[string]*bool // by server ID: whether the failure details are hidden
}

// formActions are the functions of the form and of the recent servers.
type formActions struct {
	// OnRead parses a text without starting anything. OnConnect receives a launch with the
	// values of its environment. OnConnectAll receives several servers of one text.
	OnRead       func(text string) (launch.Reading, error)
	OnConnect    func(config.Launch)
	OnConnectAll func([]config.Launch)
	OnAgain      func(config.Launch) // a recent server as saved
	OnEdit       func(config.Launch) // a recent server to edit before it connects
	OnCancel     func()
	OnKeep       func() // closes the sheet and keeps a failed change
	OnBrowse     func()
	OnForget     func(config.Launch)
	// OnSearch searches the MCP registry, OnNamed installs a server from it, and OnBundle
	// installs a .mcpb file. If OnSearch is nil, there is no registry.
	OnSearch func(words string)
	OnNamed  func(name string)
	OnBundle func(path string)
}

// serverActions are the functions of a server in the list.
type serverActions struct {
	OnReplace    func(client.Server) // replaces its script with one that the user chooses
	OnDisconnect func(client.Server)
	OnVisit      func(client.Server)
	OnCopy       func(string)
	OnRestart    func(client.Server)
	OnAllow      func(client.Server, sandbox.Permission)
	OnFree       func(client.Server) // turns off its sandbox
	OnOpen       func(path string)
	OnSet        func(client.Server) // edits its environment
	OnLog        func(client.Server)
	OnLink       func(address string)
	OnLookIn     func(s client.Server, dir string) // restarts it with dir among the folders for programs
	OnBring      func(command string, then func()) fyne.CanvasObject
}

// newConnectSheet makes the sheet. It replaces ~ in paths with home. keyring reports whether
// the system has a keyring.
func newConnectSheet(clk *kit.Clock, now func() time.Time, tips *kit.Tooltips, home string, keyring bool) *connectSheet {
	c := &connectSheet{tips: tips, clock: clk, now: now}
	c.home, c.form, c.folded = home, runconfig.New(clk, keyring, home), make(map[string]*bool)
	c.Path = kit.NewInput(clk, Example, false)
	c.Path.TextStyle.Monospace = true
	c.read = newUnderstanding(clk, keyring)
	c.Path.OnTyped = func() { c.Fail(nil); c.understand() }
	c.Path.Paste.On = func(text string) bool {
		flat, several := c.read.paste(text)
		if several {
			c.Path.Put(flat)
			c.understand()
		}
		return several
	}
	c.form.Args.OnTyped = func() { c.Fail(nil) }
	c.form.Dir.OnTyped = c.form.Args.OnTyped
	c.form.Vars.OnTyped = func() { showSaveAnyway(c, false) }
	c.read.name.OnTyped = c.form.Vars.OnTyped
	c.Path.OnRefuse = func(s string) { c.showMessage(s, "") }
	c.form.SetOnRefuse(c.Path.OnRefuse)
	c.Path.OnSubmit, c.read.name.OnSubmit = c.submit, c.submit
	c.form.SetOnSubmit(c.submit)
	c.more = kit.NewButton(kit.Ghost, "chevron-right", runconfig.OfProgram, func() { c.showExtra(c.extra.Hidden) }).Small()
	c.search = kit.NewButton(kit.Ghost, "search", searchTitle, func() { c.OnSearch(searchWords(c.Path.Text)) }).Small()
	c.browse = kit.NewButton(kit.Outline, "folder", "Browse…", func() {
		if c.OnBrowse != nil {
			c.OnBrowse()
		}
	})
	c.finds = kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, nil, c.search))
	c.fold = kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, nil, c.more))
	c.connect = kit.NewButton(kit.Primary, "plug", "Add and start", c.submit).Keyed("Enter")
	c.spin = kit.NewSpinner(clk)
	c.Status = kit.NewLabel("", 13, kit.ColorMuted).Elided()
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	}).Keyed("Esc")
	c.keep = kit.NewButton(kit.Outline, "", "Save anyway", func() { c.OnKeep() })
	c.keep.Hide()
	path := kit.NewField(c.Path)
	c.problem = kit.Vertical(0)
	c.problem.Hide()
	c.found = kit.Vertical(0)
	c.found.Hide()
	c.list = kit.Vertical(8)
	c.recentRows = kit.Vertical(8)
	c.extra = c.form.Extra()
	c.intro = kit.NewText("Paste what its README says: a command, a URL, a script, a folder, or JSON.", 13, 20, kit.ColorMuted)
	c.others = kit.Vertical(0, kit.Inset(kit.Margin{Top: 18, Right: 0, Bottom: 8, Left: 0}, kit.NewLabel("SERVERS", 11, kit.ColorFaint).Medium()), c.list, c.recentRows)
	body := kit.Vertical(0,
		c.intro,
		kit.Inset(kit.Margin{Top: 10, Right: 0, Bottom: 0, Left: 0}, container.New(kit.Row{Gap: 8, Flex: path}, path, c.browse)),
		c.read.root,
		c.finds,
		c.fold,
		c.extra,
		c.problem,
		c.found,
		c.others,
	)
	c.Sheet = kit.NewSheet(720, "Connect a tool", body, kit.Horizontal(8, c.Status, c.spin, c.Status, c.keep, cancel, c.connect))
	c.Page.Layout.(*kit.Centred).Top = 36 // a fixed top, because input and failures change the height
	c.form.Vars.OnResize = c.Refit
	c.First = c.Path
	c.Holds = func() bool { return strings.TrimSpace(c.Path.Text) != "" || c.form.HasExtra() }
	c.OnClose = func() {
		if c.OnCancel != nil {
			c.OnCancel()
		}
	}
	return c
}

// Example is the hint of the server field. It fits into the smallest window.
const Example = "npx -y @modelcontextprotocol/server-memory"

// understand shows how goated understands the text in the field.
func (c *connectSheet) understand() {
	typed := strings.TrimSpace(c.Path.Text) != ""
	if c.OnRead == nil {
		return
	}
	var r launch.Reading
	var err error
	if typed {
		r, err = c.OnRead(c.read.text(c.Path.Text))
	}
	if title, note := c.installable(c.read.text(c.Path.Text)); title != "" {
		c.read.announce(title, note)
	} else {
		c.read.showReading(r, err, typed)
	}
	c.allowConnect()
	c.more.SetText(c.form.Fit(c.read.read.Servers))
	c.nameSearch(err)
	c.offerVariables()
	if c.fold.Hidden = len(c.read.read.Servers) > 1 && len(c.read.inputs()) == 0; c.fold.Hidden && !c.form.HasExtra() {
		c.showExtra(false) // nothing would read these fields
	}
	c.Refit()
}

// allowConnect enables the button unless a server is starting or the text starts nothing. In
// the latter case, Enter gives the reason.
func (c *connectSheet) allowConnect() {
	c.connect.SetEnabled(!c.Path.Disabled() && !c.read.unread)
}

// offerVariables shows fields for the variables that the text names, and keeps what the user
// entered in them.
func (c *connectSheet) offerVariables() {
	asks := c.read.askedInputs()
	c.form.Vars.Offer(asks)
	c.describeInputs()
	if len(asks) > 0 {
		c.showExtra(true)
	}
}

// submit checks the form without starting a process, and calls OnConnect.
func (c *connectSheet) submit() {
	if c.Path.Disabled() || c.OnRead == nil {
		return
	}
	if c.install() {
		return
	}
	r, err := c.OnRead(c.read.text(c.Path.Text))
	if err != nil {
		c.read.showReading(r, nil, false)
		c.showMessage(errtext.PlainSentence(err), wording.PasteAdvice(err))
		kit.Focus(c.Path)
		return
	}
	c.read.showReading(r, nil, true)
	values := c.inputValues()
	if c.lacksInput(values) {
		return
	}
	list := c.read.launches(values)
	if len(list) > 1 {
		for i, s := range c.read.read.Servers {
			if l, missing := config.MarkMissing(list[i].WithoutStandIns(s.Notes), s); len(missing) > 0 {
				list[i], list[i].Off = l, true
			}
		}
		c.Fail(nil)
		if c.OnConnectAll != nil {
			c.OnConnectAll(list)
		}
		return
	}
	if c.form.HasExtra() {
		c.showExtra(true) // shows an error in these fields
	}
	l, err := c.form.Read(list[0])
	if err != nil {
		c.showMessage(errtext.PlainSentence(err), "")
		return
	}
	l.Args = slices.Concat(list[0].Args, l.Args)
	if l.Dir == "" {
		l.Dir = list[0].Dir
	}
	if len(l.Env) == 0 {
		l.Env = slices.Concat(list[0].Env, list[0].Headers)
	}
	l.Env = withInputs(l.Env, c.read.read.Servers[0], list[0], l)
	for _, asked := range c.read.openVariables() {
		i := slices.IndexFunc(l.Env, func(v config.Variable) bool { return v.Name == asked.Name })
		if i < 0 {
			continue
		}
		if l.Env[i].Value = asked.Entered(l.Env[i].Value); l.Env[i].Value != "" || l.Env[i].Ref != "" {
			continue
		}
		c.showExtra(true)
		c.showMessage("It needs "+asked.Name+".", "Enter its value, or remove the "+c.form.Vars.Noun+".")
		if row := c.form.Vars.Find(asked.Name); row != nil {
			kit.Focus(row.Value)
		}
		return
	}
	if l.URL != "" {
		l.Headers = slices.DeleteFunc(slices.Clone(l.Env), func(v config.Variable) bool { return !isHeader(v) })
		l.Env = slices.DeleteFunc(l.Env, isHeader)
	}
	c.Fail(nil)
	if c.OnConnect != nil {
		c.OnConnect(l)
	}
}

// Fill fills the form from a launch.
func (c *connectSheet) Fill(l config.Launch) {
	c.Fail(nil)
	words := append([]string{launch.ShownFolders(l.Subject())}, l.Args...)
	if l.Path != "" || l.URL != "" {
		words = words[:1]
	}
	text := config.Quoted(words)
	if len(words) == 1 {
		text = words[0]
	}
	c.Path.Put(text)
	c.read.name.SetText(l.Name)
	c.read.given = ""
	c.understand()
	if l.Command != "" {
		l.Args = nil // the command contains them
	}
	if l.URL != "" {
		l.Env = slices.Concat(l.Env, l.Headers)
	}
	c.form.Put(l)
	c.showExtra(c.form.HasExtra())
	c.Body.Scroll.ScrollToTop()
	kit.Focus(c.Path)
}

// showExtra shows or hides the fields for the environment and the working directory.
func (c *connectSheet) showExtra(on bool) {
	c.extra.Hidden = !on
	if on {
		c.more.SetIcon("chevron-down")
	} else {
		c.more.SetIcon("chevron-right")
	}
	c.Refit()
}

// busy shows whether a connection is in progress.
func (c *connectSheet) busy(on bool) {
	c.browse.SetEnabled(!on)
	c.spin.SetRunning(on)
	c.form.Enable(!on)
	if on {
		c.Path.Disable()
		c.Status.Set("Starting…")
	} else {
		c.Path.Enable()
		c.Status.Set("")
	}
	showSaveAnyway(c, !on && c.edit != nil && c.edit.shown)
	c.allowConnect()
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
