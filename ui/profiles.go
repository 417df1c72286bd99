package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/servers"
)

// profiles determine which servers are on.
type profiles struct{ win *Window }

// use starts and disconnects servers to match a profile. The shown conversation uses the
// profile from now on.
func (p profiles) use(name string) {
	stay := p.change(nil, func(s config.Settings) config.Settings { return config.UseProfile(s, name, p.win.options.Bundled) })
	p.win.chats.Choices.Profile(p.win.prefs.current.ProfileInUse())
	if stay != "" {
		p.win.shell.Toasts.Say("check", stay)
	}
}

// change changes the settings, and starts and disconnects the servers that they turn on and
// off. A server that is turned off stays connected until the running turns end. The turn of
// except does not count. stay is a sentence that names these servers.
func (p profiles) change(except *chats.Conversation, f func(config.Settings) config.Settings) (stay string) {
	w := p.win
	old := w.prefs.current
	next := f(old)
	w.prefs.change(next)
	if w.options.Host == nil {
		return ""
	}
	turns := p.runningTurns(except)
	var kept []string
	end := func(name string, off func() bool, end func()) {
		if len(turns) == 0 {
			end()
			return
		}
		kept = append(kept, name)
		w.pages.leaving = append(w.pages.leaving, leavingServer{turns, off, end})
	}
	for i, l := range next.Launch {
		switch was := i < len(old.Launch) && !old.Launch[i].Off; {
		case was && l.Off:
			off := func() bool {
				return slices.ContainsFunc(w.prefs.current.Launch, func(now config.Launch) bool { return now.Off && now.Same(l) })
			}
			end(l.DisplayName(), off, func() {
				for _, id := range consent.RunningIDs(w.servers.Snapshot.Servers, l) {
					w.tasks.begin(func() { _ = w.options.Host.Disconnect(w.tasks.ctx, id) }) // removes it from the list
				}
			})
		case !was && !l.Off && len(consent.RunningIDs(w.servers.Snapshot.Servers, l)) == 0:
			p.start(l)
		}
	}
	for _, b := range w.options.Bundled {
		switch on := next.StartsBundled(b); {
		case on == old.StartsBundled(b) || w.options.SwitchBundled == nil:
		case on:
			w.options.SwitchBundled(b, true)
		default:
			end(b.Name, func() bool { return !w.prefs.current.StartsBundled(b) }, func() { w.options.SwitchBundled(b, false) })
		}
	}
	return stayingText(kept)
}

// start starts a saved server. Turns that begin in the meantime wait for it.
func (p profiles) start(l config.Launch) {
	w := p.win
	tools := w.options.Agent.Tools
	if tools == nil {
		servers.Run(w.servers, l)
		return
	}
	announced := tools.Announce(l.DisplayName(), &l)
	c := consent.WithSavedPermissions(w.prefs.current, consent.ConfigOf(l))
	w.tasks.begin(func() {
		env, lost := w.servers.Secrets.Fill(l.Env)
		headers, missing := w.servers.Secrets.Fill(l.Headers)
		if len(lost)+len(missing) > 0 {
			tools.End(announced, client.ErrStart)
			w.tasks.post(func() { servers.Run(w.servers, l) }) // asks the user for the missing secrets
			return
		}
		c.Env, c.Headers = config.Environ(env), config.Environ(headers)
		_, err := client.ConnectSaved(w.tasks.ctx, w.options.Host, c) // the server's row shows a failure
		tools.End(announced, err)
	})
}

// begin switches to the servers of the conversation's profile before a turn. A conversation
// without a profile remembers the current one. A conversation without a model remembers the
// model that answers.
func (p profiles) begin(c *chats.Conversation) {
	p.win.chats.Choices.Remember(c, p.win.options.Agent.Ref)
	s := p.win.prefs.current
	switch want := c.Saved.Choices.Profile; {
	case len(s.Profiles) == 0 || want == s.ProfileInUse():
	case want != "" && slices.Contains(s.ProfileNames(), want):
		said := fmt.Sprintf("This conversation uses the profile %s", want)
		if stay := p.change(c, func(s config.Settings) config.Settings { return config.UseProfile(s, want, p.win.options.Bundled) }); stay != "" {
			said += ". " + stay
		}
		p.win.shell.Toasts.Say("check", said)
	default:
		p.win.chats.Choices.SetProfile(c, s.ProfileInUse())
	}
}

// commands returns the palette's entries for the profiles.
func (p profiles) commands() []command {
	s := p.win.prefs.current
	list := []command{{ID: "profile-new", Title: "New profile of servers…", Group: groupTools, Icon: "plus", Run: p.create}}
	for _, name := range s.ProfileNames() {
		if name == s.ProfileInUse() {
			continue
		}
		list = append(list, command{ID: "profile:" + name, Title: "Profile: " + name, Group: groupTools, Icon: "tool", Detail: "Use", Run: func() { p.use(name) }})
	}
	if now := s.ProfileInUse(); now != config.DefaultProfile {
		list = append(list, command{ID: "profile-delete", Title: "Delete the profile " + now, Group: groupTools, Icon: "trash", Run: func() { p.remove(now) }})
	}
	return list
}

// menu opens the menu of the profiles below its button.
func (p profiles) menu(button fyne.CanvasObject) {
	s := p.win.prefs.current
	var items []popup.Item
	for _, name := range s.ProfileNames() {
		items = append(items, popup.Item{Text: name, Checked: name == s.ProfileInUse(), Do: func() { p.use(name) }})
	}
	items = append(items, popup.Item{}, popup.Item{Text: "New profile…", Icon: "plus", Do: p.create})
	if now := s.ProfileInUse(); now != config.DefaultProfile {
		items = append(items, popup.Item{Text: "Delete " + now, Icon: "trash", Danger: true, Do: func() { p.remove(now) }})
	}
	at := kit.PositionOf(button)
	popup.Show(p.win.frame.win.Canvas(), at.AddXY(0, button.Size().Height+4), items...)
}

// remove deletes a profile; its servers stay saved.
func (p profiles) remove(name string) {
	p.change(nil, func(s config.Settings) config.Settings { return config.WithoutProfile(s, name, p.win.options.Bundled) })
	p.win.chats.Choices.Profile(p.win.prefs.current.ProfileInUse())
	p.win.shell.Toasts.Say("check", fmt.Sprintf("The profile %s is deleted. Its servers stay saved", name))
}

// maxProfileName is the maximum length of a profile's name, in characters, because lists and
// menus show it on one line.
const maxProfileName = 60

// create asks for the name of a new profile.
func (p profiles) create() {
	w := p.win
	field := kit.NewInput(w.shell.Clock, "Such as Work or Research", false)
	var s *kit.Sheet
	shut := func() { w.shell.Sheets.Shut(s) }
	problem := kit.NewText("", 13, 19, kit.ColorBad)
	problem.Hide()
	tell := func(text string) {
		problem.SetText(text)
		problem.Hidden = text == ""
		s.Refit()
	}
	field.OnTyped = func() { tell("") }
	submit := func() {
		name := strings.TrimSpace(field.Text)
		switch n := utf8.RuneCountInString(name); {
		case n == 0:
			tell("Enter a name.")
			return
		case n > maxProfileName:
			tell(fmt.Sprintf("The name has %d characters. Enter one of at most %d.", n, maxProfileName))
			return
		}
		names := w.prefs.current.ProfileNames()
		if i := slices.IndexFunc(names, func(other string) bool { return strings.EqualFold(other, name) }); i >= 0 {
			tell(fmt.Sprintf("There is a profile %s already. Enter another name.", names[i]))
			return
		}
		shut()
		p.use(name)
	}
	field.OnSubmit = submit
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	s = kit.NewSheet(480, "New profile", kit.Vertical(10,
		kit.NewText("A profile remembers which servers are on. The new one begins with those that are on now; turn others on or off on the Tools page. A conversation remembers its profile.", 13, 20, kit.ColorMuted),
		kit.NewField(field), problem),
		kit.Horizontal(8, gap, gap, kit.NewButton(kit.Outline, "", "Cancel", shut), kit.NewButton(kit.Primary, "check", "Create", submit)))
	s.OnClose = shut
	s.First = field
	s.Holds = kit.Typed(field)
	w.shell.Sheets.Open(s)
}
