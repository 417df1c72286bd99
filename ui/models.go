package ui

import (
	"goated/agent"
	"goated/internal/config"
	"goated/internal/models"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/modelmenu"
	"goated/ui/settings"
)

// modelControls show the model of the shown conversation: its button and menu, the gauge of the
// context, and the bar that appears while the model waits.
type modelControls struct {
	win   *Window
	gauge *modelmenu.Gauge
	wait  *modelmenu.WaitBar
	more  *kit.Button // the menu of the conversation

	meter agent.ContextUsage
	at    measured // what meter describes
}

// A measured is a conversation with the state that determines its [agent.ContextUsage].
type measured struct {
	of                               *chats.Conversation
	model                            config.ModelRef
	limit                            int // in the settings
	messages, tools, instructionSize int
}

// build makes the parts of the header and the bar above the composer.
func (t *modelControls) build() {
	t.gauge = modelmenu.NewGauge(t.openMeter)
	t.wait = modelmenu.NewWaitBar(t.openMenu, func() { t.win.chats.Stop() })
	t.more = kit.NewButton(kit.Ghost, "more", "", func() { t.win.chats.Menu.OpenShown(t.more) }).Small()
}

// ref returns the model that answers in the shown conversation.
func (t *modelControls) ref() config.ModelRef {
	if ref, ok := t.win.chats.Conversation().Choice(); ok {
		return ref
	}
	return t.win.options.Agent.Ref
}

// approvalModel returns the name of the model that requests an approval. It is empty without a model,
// because then the user's own words led to the call.
func (t *modelControls) approvalModel() string {
	if t.ref().Service == config.NoModel {
		return ""
	}
	return t.win.frame.model.Text
}

// open opens a model that the user chose.
func (t *modelControls) open(ref config.ModelRef) agent.Model {
	if t.win.options.Agent.Models == nil {
		return t.win.options.Agent.NewSession().Model
	}
	return t.win.options.Agent.Models.Open(t.win.prefs.current, ref)
}

// showModel names the model of the shown conversation in the header.
func (t *modelControls) showModel() {
	label := t.win.options.Agent.Model
	if ref, ok := t.win.chats.Conversation().Choice(); ok {
		label = modelmenu.Label(ref)
	}
	if t.win.frame.model.Text != label {
		t.win.frame.model.SetText(label)
		t.win.frame.layout()
	}
}

// show updates the controls for c, which is the shown conversation.
func (t *modelControls) show(c *chats.Conversation) {
	if t.wait == nil || t.win.frame.foot == nil {
		return // the window is being built
	}
	t.win.frame.showWaiting(t.win.chats.Questions.Away())
	t.showModel()
	if t.wait.Show(c.Chat.Wait, t.ref()) {
		t.win.frame.layout()
	}
	if unsaved := c.Saved.ID == ""; t.more.Hidden != unsaved {
		t.more.Hidden = unsaved
		t.win.frame.layout()
	}
	now := t.win.prefs.current
	at := measured{c, t.ref(), now.ContextLimit, c.Chat.Len(), t.win.servers.Snapshot.Tools(), len(c.Saved.Choices.Instructions) + len(now.Instructions)}
	if t.at == at && !c.Running() {
		return
	}
	if m, ok := t.win.chats.Choices.Meter(c); ok {
		t.meter, t.at = m, at
		if t.gauge.Show(m) {
			t.win.frame.layout()
		}
	}
}

// compacted reports whether a summary is in force in the shown conversation.
func (t *modelControls) compacted() bool { return t.win.chats.Conversation().Compacted() }

// openMenu opens the menu of the models.
func (t *modelControls) openMenu() {
	source := t.win.options.Agent.Models
	if source == nil {
		t.win.settingsPages.Open(settings.Model)
		return
	}
	w, chosen := t.win, t.ref()
	now := w.prefs.current
	var m *modelmenu.Menu
	shut := func() {
		w.shell.Sheets.Shut(m.Sheet)
		w.frame.model.SetIcon("chevron-down")
	}
	w.frame.model.SetIcon("chevron-up")
	m = modelmenu.New(modelmenu.Options{
		Anchor: w.frame.model, Groups: source.Offered(now, chosen), Chosen: chosen, Loading: true, Key: w.commands.keyOf("model"),
		Instructed: w.chats.Conversation().Saved.Choices.Instructions != "", Note: "Used from your next message on.",
		OnChoose:       func(e models.Entry) { shut(); t.choose(e) },
		OnInstructions: func() { shut(); t.openInstructions() },
		OnAdd:          func() { shut(); w.settingsPages.Open(settings.Model) },
	})
	m.OnClose = shut
	w.shell.Sheets.Open(m.Sheet)
	w.tasks.begin(func() {
		all := source.All(w.tasks.ctx, now, chosen)
		w.tasks.post(func() { m.Add(all, false) })
	})
}

// choose makes a model answer in the shown conversation. If the conversation is empty, later
// conversations use the model as well.
func (t *modelControls) choose(e models.Entry) {
	blank := t.win.chats.Conversation().Blank()
	t.win.chats.Choices.Use(e.Ref)
	if blank {
		t.win.prefs.change(t.win.prefs.current.WithModel(e.Ref))
	}
}

// openInstructions shows the user's instructions for all conversations and for the shown one.
func (t *modelControls) openInstructions() {
	w := t.win
	c := w.chats.Conversation() // another one may be shown when the user saves
	var s *kit.Sheet
	shut := func() { w.shell.Sheets.Shut(s) }
	s = modelmenu.Instructions(w.shell.Clock, w.prefs.current.Instructions, c.Saved.Choices.Instructions, func(all, one string) {
		shut()
		if all != w.prefs.current.Instructions {
			next := w.prefs.current
			next.Instructions = all
			w.prefs.change(next)
		}
		w.chats.Choices.Instruct(c, one)
		w.shell.Toasts.Say("check", "The model gets your instructions from your next message on.")
	}, shut)
	w.shell.Sheets.Open(s)
}

// openMeter shows how the context is filled.
func (t *modelControls) openMeter() {
	w := t.win
	c := w.chats.Conversation()
	t.at = measured{} // forces a new measurement
	t.show(c)
	var s *kit.Sheet
	shut := func() { w.shell.Sheets.Shut(s) }
	s = modelmenu.NewMeter(modelmenu.MeterOptions{
		Anchor: t.gauge.Root, Meter: t.meter, Busy: c.Running(), Compacted: c.Compacted(),
		Model: t.ref().Service != config.NoModel, Automatic: !w.prefs.current.KeepAll,
		OnTools:   func() { shut(); w.pages.tools.Open() },
		OnCompact: func() { shut(); w.chats.Choices.Compact(false) },
		OnUndo:    func() { shut(); w.chats.Choices.Compact(true) },
		OnAutomatic: func(on bool) {
			next := w.prefs.current
			next.KeepAll = !on
			w.prefs.change(next)
		},
	})
	s.OnClose = shut
	w.shell.Sheets.Open(s)
}

// keyOf returns the keyboard shortcut of a command.
func (t *commandTable) keyOf(id string) kit.Shortcut {
	for _, c := range t.all() {
		if c.ID == id {
			return c.Shortcut
		}
	}
	return kit.Shortcut{}
}
