// Package guard decides what the desktop tools may not do: they never read, click, type
// into, move or cover goated itself, so that no call can press goated's own Allow; they
// write into no password field and, unless the user allows shell commands, into no
// terminal. It also stops everything immediately, and slows floods of actions down.
//
// It is pure logic over a [Screen]. It must not know a window system or a protocol. A
// caller asks it directly before each event that it sends, since windows move between
// two events.
package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"goated/servers/desktop/element"
)

// A Refusal says why an action is not performed. The user decides about such actions,
// not the model.
type Refusal struct{ Why string }

func (e *Refusal) Error() string { return e.Why }

// ErrHalted says that the user stopped the desktop tools.
var ErrHalted = errors.New("the user stopped the desktop tools; ask the user before you go on")

// ErrBlind says that the screen may show password fields and terminals, and no one says where.
var ErrBlind = errors.New("it is unknown where password fields are")

func own(what string) error {
	return &Refusal{"refused: " + what + " belongs to goated itself, which the desktop tools can't use; the user decides there"}
}

// A Layer is a window as the screen shows it.
type Layer struct {
	Window element.Window
	Bounds element.Rect // of what is drawn, with frame

	// Shaped says that it takes clicks, and covers what is below, in the parts Solid only.
	Shaped bool
	Solid  []element.Rect
}

// parts returns where a layer takes clicks.
func (l Layer) parts() []element.Rect {
	if l.Shaped {
		return l.Solid
	}
	return []element.Rect{l.Bounds}
}

// A Screen is the present state of a display.
type Screen interface {
	// Layers lists the visible windows, the lowest first, with menus and panels.
	Layers(ctx context.Context) ([]Layer, error)
	// Focused returns the window that receives keys, and false if none does. If keys go
	// to the window under the pointer, it returns that.
	Focused(ctx context.Context) (element.Window, bool, error)
}

// A Field is what has the keys in a process. The zero value is an ordinary element, or none.
type Field struct {
	Secure   bool // a password field
	Terminal bool // a terminal, which runs what is typed
}

// Options configure a [Guard].
type Options struct {
	Screen Screen
	Own    Own
	// Shell allows to type into terminals: the user's second switch.
	Shell bool
	// Focus says into what keys of a process would go. nil: that is unknown, and no process
	// is asked.
	Focus func(ctx context.Context, pid int) (Field, error)
	// Terminals lists the terminals inside of a process that is not only one, such as an
	// editor. nil: unknown. The error is ErrBlind while no program is asked.
	Terminals func(ctx context.Context, pid int) ([]element.Rect, error)
	// Asks reports whether the desktop itself asks the user in this process, such as whether
	// goated may press keys, or shows notifications there: the user answers. nil: no process does.
	Asks func(pid int) bool
	// Secure lists the password fields on the screen. nil: unknown. The error is ErrBlind while no
	// program is asked.
	Secure func(ctx context.Context) ([]element.Rect, error)
}

// A Guard decides. Make one with [New]. It is safe for concurrent use.
type Guard struct {
	opts Options
	halt halt
}

// New returns a guard.
func New(o Options) *Guard { return &Guard{opts: o} }

// owns reports whether a window is goated's own.
func (g *Guard) owns(w element.Window) bool { return g.opts.Own.Window(w) }

// OwnsPID reports whether a process is out of reach: it is goated itself, or asks the user for
// the desktop.
func (g *Guard) OwnsPID(pid int) bool { return g.opts.Own.Process(pid) || g.asks(pid) }

func (g *Guard) asks(pid int) bool { return g.opts.Asks != nil && g.opts.Asks(pid) }

// Pointer refuses a press, a release, a scroll or a move of the pointer at a point that
// goated shows itself at, or that is a password field. Ask before each single press of a
// double click: the first may have closed the window above goated.
func (g *Guard) Pointer(ctx context.Context, at element.Point) error {
	return g.Path(ctx, []element.Point{at})
}

// shellSwitch is where the user allows what a terminal does.
const shellSwitch = `"shell commands and scripts": Settings, Servers, desktop`

// Press is Pointer for a button that is pressed or released. It also refuses notifications and
// keyboards on the screen, which could answer goated's questions, and terminals unless
// the user allows shell commands: their menus, their middle button and a drop paste text,
// which they run.
//
// A press types nothing, so it is not refused for ErrBlind.
func (g *Guard) Press(ctx context.Context, at element.Point) error { return g.press(ctx, at, false) }

// Drop is Press for the middle button, which pastes, and for the end of a drag, which drops: while it
// is unknown where password fields and terminals are, the text could get into one.
func (g *Guard) Drop(ctx context.Context, at element.Point) error { return g.press(ctx, at, true) }

// press is Press, or Drop if it puts text in.
func (g *Guard) press(ctx context.Context, at element.Point, text bool) error {
	layers, err := g.path(ctx, []element.Point{at}, text)
	if err != nil {
		return err
	}
	w, ok := Top(layers, at)
	if ok {
		err = g.answers(w)
	}
	if err != nil || g.opts.Shell {
		return err
	}
	inside := ok && Terminal(w)
	if ok && !inside && w.PID != 0 && g.opts.Terminals != nil {
		list, err := g.opts.Terminals(ctx, w.PID)
		if err != nil && (text || !errors.Is(err, ErrBlind)) {
			return fmt.Errorf("looking for terminals: %w", err)
		}
		inside = slices.ContainsFunc(list, func(r element.Rect) bool { return r.Has(at) })
	}
	if inside {
		return &Refusal{fmt.Sprintf("refused: at %.0f, %.0f of %q is a terminal, where a press can paste a command; that needs "+shellSwitch, at.X, at.Y, w.Title)}
	}
	return nil
}

// Path refuses a drag that begins, ends or passes over goated, or begins or ends in a
// password field.
func (g *Guard) Path(ctx context.Context, path []element.Point) error {
	_, err := g.path(ctx, path, false)
	return err
}

// path is Path, and returns the layers that it looked at. text says that text gets to its points.
func (g *Guard) path(ctx context.Context, path []element.Point, text bool) ([]Layer, error) {
	if len(path) == 0 {
		return nil, nil
	}
	if err := g.Running(); err != nil {
		return nil, err
	}
	layers, err := g.opts.Screen.Layers(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking at what is under the pointer: %w", err)
	}
	visible := g.visible(layers, func(l Layer) bool { return !l.Shaped || len(l.Solid) > 0 })
	for i, p := range path {
		from := path[max(i-1, 0)]
		for _, r := range visible {
			if crosses(from, p, r) {
				return nil, own(fmt.Sprintf("the window at %.0f, %.0f", p.X, p.Y))
			}
		}
	}
	if g.opts.Secure == nil {
		return layers, nil
	}
	fields, err := g.opts.Secure(ctx)
	if err != nil && (text || !errors.Is(err, ErrBlind)) {
		return nil, fmt.Errorf("looking for password fields: %w", err)
	}
	for _, p := range []element.Point{path[0], path[len(path)-1]} {
		for _, r := range fields {
			if r.Has(p) {
				return nil, &Refusal{fmt.Sprintf("refused: at %.0f, %.0f is a password field; ask the user to fill it", p.X, p.Y)}
			}
		}
	}
	return layers, nil
}

// Keys refuses keys and pastes while goated has the focus, or a password field, or a
// terminal unless the user allows shell commands. Ask before each key.
func (g *Guard) Keys(ctx context.Context) error {
	if err := g.Running(); err != nil {
		return err
	}
	w, ok, err := g.opts.Screen.Focused(ctx)
	if err != nil {
		return fmt.Errorf("looking at which window receives keys: %w", err)
	}
	switch {
	case !ok:
		return nil
	case g.owns(w):
		return own("the window that receives keys")
	case g.answers(w) != nil:
		return g.answers(w)
	case !g.opts.Shell && Terminal(w):
		return &Refusal{fmt.Sprintf("refused: keys would go into the terminal %q, which runs what is typed; that needs "+shellSwitch, w.Title)}
	case g.opts.Focus == nil || w.PID == 0:
		return nil
	}
	field, err := g.opts.Focus(ctx, w.PID)
	switch {
	case err != nil:
		return fmt.Errorf("looking at which element receives keys: %w", err)
	case field.Terminal && !g.opts.Shell:
		return &Refusal{fmt.Sprintf("refused: keys would go into a terminal inside of %q, which runs what is typed; that needs "+shellSwitch, w.Title)}
	case field.Secure:
		return &Refusal{fmt.Sprintf("refused: keys would go into a password field of %q; ask the user to fill it", w.Title)}
	}
	return nil
}

// Chord refuses combinations of keys that leave the desktop or end it, or open a field
// that runs commands. It takes names of X keysyms or of the protocol, in any case.
func (g *Guard) Chord(modifiers []string, key string) error {
	var mods []string
	for _, m := range modifiers {
		mods = append(mods, modifier(m))
	}
	key = strings.ToLower(key)
	ctrlAlt := slices.Contains(mods, "ctrl") && slices.Contains(mods, "alt")
	function := len(key) >= 2 && len(key) <= 3 && key[0] == 'f' && key[1] >= '0' && key[1] <= '9'
	switch {
	case ctrlAlt && (function || key == "backspace" || key == "delete" || key == "del"), ctrlAlt && strings.HasPrefix(key, "xf86switch"):
		return &Refusal{fmt.Sprintf("refused: Ctrl+Alt+%s leaves or ends the desktop session", key)}
	case strings.HasPrefix(key, "xf86power"), strings.HasPrefix(key, "xf86sleep"), strings.HasPrefix(key, "xf86log"), key == "sysrq", key == "sys_req":
		return &Refusal{fmt.Sprintf("refused: the key %s ends or locks the desktop session", key)}
	case !g.opts.Shell && slices.Contains(mods, "alt") && key == "f2", !g.opts.Shell && ctrlAlt && key == "t", !g.opts.Shell && slices.Contains(mods, "super") && key == "r":
		return &Refusal{"refused: these keys open a field or a terminal that runs commands; that needs " + shellSwitch}
	}
	return nil
}

func modifier(name string) string {
	name = strings.ToLower(strings.TrimPrefix(strings.ToUpper(name), "MODIFIER_"))
	switch {
	case strings.HasPrefix(name, "c") && !strings.HasPrefix(name, "cap") && name != "command" && name != "cmd":
		return "ctrl"
	case strings.HasPrefix(name, "alt"), name == "option", name == "meta":
		return "alt"
	case name == "command", name == "cmd", strings.HasPrefix(name, "super"), name == "win":
		return "super"
	}
	return name
}

// Window refuses to focus, move, resize, minimise, restore or close goated's windows.
func (g *Guard) Window(w element.Window) error {
	if err := g.Running(); err != nil {
		return err
	}
	if g.owns(w) {
		return own("this window")
	}
	return nil
}

// Element refuses to read or use elements of goated's processes.
func (g *Guard) Element(pid int) error {
	if err := g.Running(); err != nil {
		return err
	}
	if g.asks(pid) {
		return &Refusal{"refused: the desktop asks the user there, such as whether goated may press keys; the user answers"}
	}
	if g.OwnsPID(pid) {
		return own("this application")
	}
	return nil
}

// Use refuses to press or fill the elements of a keyboard on the screen, and of an application
// with a window of a terminal unless the user allows shell commands.
func (g *Guard) Use(windows []element.Window) error {
	for _, w := range windows {
		if named(w, keyboards) || named(w, senders) {
			return g.answers(w)
		}
		if !g.opts.Shell && Terminal(w) {
			return &Refusal{fmt.Sprintf("refused: %q runs what is put into it; that needs "+shellSwitch, cmp.Or(w.Title, w.Class))}
		}
	}
	return nil
}

// Open refuses to start programs that could press goated's Allow or run commands: goated
// itself, tools that send input, and terminals unless the user allows shell commands. It
// looks at the name of the program after links.
func (g *Guard) Open(program string) error {
	if err := g.Running(); err != nil {
		return err
	}
	name := base(program)
	if real, err := filepath.EvalSymlinks(program); err == nil && base(real) != name {
		if err := g.Open(real); err != nil {
			return err
		}
	}
	switch {
	case name == "goated", g.opts.Own.Program != "" && sameFile(program, g.opts.Own.Program):
		return own("this program")
	case slices.Contains(senders, name), slices.Contains(keyboards, name):
		return &Refusal{fmt.Sprintf("refused: %s sends input to any window, goated's too", name)}
	case !g.opts.Shell && slices.Contains(terminals, name):
		return &Refusal{fmt.Sprintf("refused: %s is a terminal, which runs what is typed; that needs "+shellSwitch, name)}
	}
	return nil
}

// Terminal reports whether a window belongs to a known terminal.
func Terminal(w element.Window) bool { return named(w, terminals) }

// base returns the last part of a program's name or path, in lower case.
func base(s string) string {
	s = strings.ToLower(filepath.Base(strings.TrimSpace(s)))
	return strings.TrimSuffix(strings.TrimSuffix(s, ".desktop"), "-bin")
}

// terminals are the names of programs and window classes of terminals.
var terminals = []string{
	"xterm", "uxterm", "lxterm", "rxvt", "urxvt", "gnome-terminal", "gnome-terminal-server", "org.gnome.terminal", "kgx", "org.gnome.console", "ptyxis", "konsole", "org.kde.konsole",
	"yakuake", "xfce4-terminal", "mate-terminal", "lxterminal", "qterminal", "terminator", "tilix", "guake", "tilda", "alacritty", "kitty", "foot", "wezterm", "wezterm-gui",
	"org.wezfurlong.wezterm", "st", "st-256color", "sakura", "terminology", "cool-retro-term", "deepin-terminal", "eterm", "aterm", "mlterm", "ghostty", "com.mitchellh.ghostty",
	"contour", "rio", "warp", "hyper", "tabby", "xfrun4", "gmrun", "rofi", "dmenu", "dmenu_run", "gnome-run",
}

// senders are programs that send input to other windows.
var senders = []string{"xdotool", "ydotool", "dotool", "wtype", "xte", "xautomation", "wmctrl", "xmacroplay", "actiona", "x11vnc", "xnee", "cnee", "gnee", "kmacro"}
