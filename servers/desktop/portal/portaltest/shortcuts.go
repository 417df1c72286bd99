package portaltest

import (
	"strings"

	"github.com/godbus/dbus/v5"
)

const (
	shortcuts = "org.freedesktop.portal.GlobalShortcuts"
	registry  = "org.freedesktop.host.portal.Registry"
)

// Keys configures the shortcuts of the desktop.
type Keys struct {
	// Shortcut returns the user's answer to the dialog that asks for a shortcut, and the keys that they
	// choose, as the desktop names them. An empty trigger means no keys. If Shortcut is nil, they
	// agree. GNOME 48 returns any answer code and still grants the keys.
	Shortcut func() (answer uint32, trigger string)
	// GNOME makes the desktop behave like GNOME, which grants CTRL+ALT+Escape without effect.
	GNOME bool
	// Nameless means that the desktop does not know which program calls unless it registers.
	Nameless bool
	// Files are the names of the programs that have a desktop file.
	Files []string

	seen map[string]bool   // the bus names that have called
	apps map[string]string // the registered names, by bus name
}

// A bind is a shortcut that a caller asks for.
type bind struct {
	ID      string
	Options options
}

func (p *Portal) register(app string, o options, sender dbus.Sender) *dbus.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen[string(sender)] {
		return p.fault(failed, "Connection already associated with an application ID")
	}
	for _, name := range p.Files {
		if name == app && len(o) == 0 {
			p.seen[string(sender)], p.apps[string(sender)] = true, app
			return nil
		}
	}
	return dbus.NewError(failed, []any{"App info not found for '" + app + "'"})
}

func (p *Portal) bindShortcuts(at dbus.ObjectPath, list []bind, parent string, o options, sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.session(at, sender, shortcuts)
	if err != nil {
		return "", err
	}
	if err := p.check("BindShortcuts", o, map[string]string{"handle_token": "s"}); err != nil {
		return "", err
	}
	for _, b := range list {
		if b.ID == "" {
			return "", p.fault(invalid, "Unexpected empty shortcut id")
		}
		if err := p.check("a shortcut", b.Options, map[string]string{"description": "s", "preferred_trigger": "s"}); err != nil {
			return "", err
		}
	}
	if s.bound {
		return "", p.fault(invalid, "Session already has bound shortcuts")
	}
	s.bound = true
	app, dead := p.apps[string(sender)], false
	for _, b := range list {
		dead = dead || p.GNOME && b.Options["preferred_trigger"].Value() == "CTRL+ALT+Escape"
	}
	return p.request(sender, o, func() (uint32, options) {
		answer, trigger := Agree, "Press <ctrl><alt>Escape"
		switch {
		case p.Nameless && !strings.Contains(app, "."): // "application with an invalid app_id" in GNOME
			return Other, options{}
		case p.Shortcut != nil:
			answer, trigger = p.Shortcut()
		}
		bound := []bind{}
		if trigger != "" {
			for _, b := range list {
				told := options{"trigger_description": dbus.MakeVariant(trigger)}
				if v, ok := b.Options["description"]; ok {
					told["description"] = v
				}
				bound = append(bound, bind{b.ID, told})
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		s.started = trigger != "" && !dead
		return answer, options{"shortcuts": dbus.MakeVariant(bound)}
	})
}

// Press presses a shortcut in each session, as the user does, and reports whether there was one.
func (p *Portal) Press(id string) (pressed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for path, s := range p.sessions {
		if s.face == shortcuts && s.started {
			pressed = true
			_ = p.conn.Emit(object, shortcuts+".Activated", path, id, uint64(1), options{})
			_ = p.conn.Emit(object, shortcuts+".Deactivated", path, id, uint64(2), options{})
		}
	}
	return pressed
}
