// Package guard decides what the desktop tools may not do. They never read, click, type into, move
// or cover goated itself, so that no call can press goated's own Allow button. They write into no
// password field and, unless the user allows shell commands, into no terminal. The guard also stops
// everything immediately, and limits the rate of actions.
//
// It is pure logic over a [Screen]. It must not know a window system or a protocol. A caller asks
// it directly before each event that it sends, because windows may move between two events.
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

// A Refusal is the error with the reason why an action is not performed. Only the user decides
// about such actions, not the model.
type Refusal struct{ Why string }

func (e *Refusal) Error() string { return e.Why }

// ErrHalted means that the user stopped the desktop tools.
var ErrHalted = errors.New("the user stopped the desktop tools; ask the user before you go on")

// ErrBlind means that the screen may show password fields and terminals at unknown positions.
var ErrBlind = errors.New("it is unknown where password fields are")

func ownError(what string) error {
	return &Refusal{"refused: " + what + " belongs to goated itself, which the desktop tools can't use; the user decides there"}
}

// A Layer is a window as it appears on the screen.
type Layer struct {
	Window element.Window
	Bounds element.Rect // drawn area, including the frame

	// Shaped means that the window takes clicks and covers other windows only in its Solid parts.
	Shaped bool
	Solid  []element.Rect
}

// parts returns the areas in which a layer takes clicks.
func (l Layer) parts() []element.Rect {
	if l.Shaped {
		return l.Solid
	}
	return []element.Rect{l.Bounds}
}

// A Screen reports the current state of a display.
type Screen interface {
	// Layers lists the visible windows, including menus and panels, lowest first.
	Layers(ctx context.Context) ([]Layer, error)
	// Focused returns the window that receives keys, or false if there is none. If the window under
	// the pointer receives the keys, Focused returns that window.
	Focused(ctx context.Context) (element.Window, bool, error)
}

// A Field describes the focused element of a process. The zero value is an ordinary element, or
// none.
type Field struct {
	Secure   bool // a password field
	Terminal bool // a terminal, which runs what is typed into it
}

// Options configures a [Guard].
type Options struct {
	Screen Screen
	Own    Own
	// Shell allows typing into terminals. It is the user's second switch.
	Shell bool
	// Focus returns the kind of field that would receive keys in a process. If Focus is nil, this
	// is unknown, and no process is asked.
	Focus func(ctx context.Context, pid int) (Field, error)
	// Terminals returns the areas of terminals inside a program that also shows other elements,
	// such as an editor. If Terminals is nil, they are unknown. The error is ErrBlind while
	// programs cannot be asked.
	Terminals func(ctx context.Context, pid int) ([]element.Rect, error)
	// Asks reports whether only the user may use the windows of a process. In such a process the
	// desktop asks whether goated may press keys, or shows notifications. If Asks is nil, there is
	// none.
	Asks func(pid int) bool
	// Secure returns the areas of the password fields on the screen. If Secure is nil, they are
	// unknown. The error is ErrBlind while programs cannot be asked.
	Secure func(ctx context.Context) ([]element.Rect, error)
}

// A Guard decides which actions are allowed. Create one with [New]. It is safe for concurrent use.
type Guard struct {
	opts Options
	halt halt
}

// New returns a guard.
func New(o Options) *Guard { return &Guard{opts: o} }

// owns reports whether a window belongs to goated.
func (g *Guard) owns(w element.Window) bool { return g.opts.Own.Window(w) }

// OwnsPID reports whether a process is out of reach because it is goated itself, or because the
// desktop asks the user there.
func (g *Guard) OwnsPID(pid int) bool { return g.opts.Own.Process(pid) || g.asks(pid) }

func (g *Guard) asks(pid int) bool { return g.opts.Asks != nil && g.opts.Asks(pid) }

// Pointer refuses a press, a release, a scroll or a move of the pointer at a point where goated is
// visible or a password field is. Call it before each press of a double click, because the first
// press may close the window above goated.
func (g *Guard) Pointer(ctx context.Context, at element.Point) error {
	return g.Path(ctx, []element.Point{at})
}

// shellSwitch names the setting with which the user allows terminals.
const shellSwitch = `"shell commands and scripts": Settings > Servers > desktop`

// Press is like Pointer, for pressing or releasing a button. It also refuses notifications and
// on-screen keyboards, which could answer goated's questions. Unless the user allows shell
// commands, it refuses terminals too: their menus, a middle click and a drop paste text, which they
// run.
//
// A press types nothing, so Press ignores ErrBlind.
func (g *Guard) Press(ctx context.Context, at element.Point) error { return g.press(ctx, at, false) }

// Drop is like Press, for a middle click, which pastes, and for the end of a drag, which drops.
// While the positions of password fields and terminals are unknown, it refuses both, because the
// text could get into one.
func (g *Guard) Drop(ctx context.Context, at element.Point) error { return g.press(ctx, at, true) }

// press is Press, or Drop if text is set.
func (g *Guard) press(ctx context.Context, at element.Point, text bool) error {
	layers, err := g.path(ctx, []element.Point{at}, text)
	if err != nil {
		return err
	}
	w, ok := Top(layers, at)
	if ok {
		err = g.refuseAnswering(w)
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

// Path refuses a drag that starts, ends or passes over goated, or that starts or ends in a password
// field.
func (g *Guard) Path(ctx context.Context, path []element.Point) error {
	_, err := g.path(ctx, path, false)
	return err
}

// path is like Path, and also returns the layers that it checked. text means that the action
// inserts text at these points.
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
				return nil, ownError(fmt.Sprintf("the window at %.0f, %.0f", p.X, p.Y))
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

// Keys refuses keys and pastes while the focus is in goated, in a password field or, unless the
// user allows shell commands, in a terminal. Call it before each key.
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
		return ownError("the window that receives keys")
	case g.refuseAnswering(w) != nil:
		return g.refuseAnswering(w)
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

// Chord refuses key combinations that leave or end the desktop, or that open a field which runs
// commands. It accepts the names of X keysyms and of the protocol, in upper or lower case.
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

// Window refuses to focus, move, resize, minimize, restore or close goated's windows.
func (g *Guard) Window(w element.Window) error {
	if err := g.Running(); err != nil {
		return err
	}
	if g.owns(w) {
		return ownError("this window")
	}
	return nil
}

// Element refuses to read or use the elements of goated's processes.
func (g *Guard) Element(pid int) error {
	if err := g.Running(); err != nil {
		return err
	}
	if g.asks(pid) {
		return &Refusal{"refused: the desktop asks the user there, such as whether goated may press keys; the user answers"}
	}
	if g.OwnsPID(pid) {
		return ownError("this application")
	}
	return nil
}

// Use refuses to press or fill in the elements of an on-screen keyboard. Unless the user allows
// shell commands, it also refuses those of an application that has a terminal window.
func (g *Guard) Use(windows []element.Window) error {
	for _, w := range windows {
		if isNamed(w, keyboards) || isNamed(w, senders) {
			return g.refuseAnswering(w)
		}
		if !g.opts.Shell && Terminal(w) {
			return &Refusal{fmt.Sprintf("refused: %q runs what is put into it; that needs "+shellSwitch, cmp.Or(w.Title, w.Class))}
		}
	}
	return nil
}

// Open refuses to start programs that could press goated's Allow button or run commands. These are
// goated itself, tools that send input and, unless the user allows shell commands, terminals. Open
// resolves symbolic links.
func (g *Guard) Open(program string) error {
	if err := g.Running(); err != nil {
		return err
	}
	name := programName(program)
	if real, err := filepath.EvalSymlinks(program); err == nil && programName(real) != name {
		if err := g.Open(real); err != nil {
			return err
		}
	}
	switch {
	case name == "goated", g.opts.Own.Program != "" && sameFile(program, g.opts.Own.Program):
		return ownError("this program")
	case slices.Contains(senders, name), slices.Contains(keyboards, name):
		return &Refusal{fmt.Sprintf("refused: %s sends input to any window, goated's too", name)}
	case !g.opts.Shell && slices.Contains(terminals, name):
		return &Refusal{fmt.Sprintf("refused: %s is a terminal, which runs what is typed; that needs "+shellSwitch, name)}
	}
	return nil
}

// Terminal reports whether a window belongs to a known terminal.
func Terminal(w element.Window) bool { return isNamed(w, terminals) }

// programName returns the last part of a program's name or path in lower case, without the suffixes
// ".desktop" and "-bin".
func programName(s string) string {
	s = strings.ToLower(filepath.Base(strings.TrimSpace(s)))
	return strings.TrimSuffix(strings.TrimSuffix(s, ".desktop"), "-bin")
}

// terminals are the program names and window classes of terminals.
var terminals = []string{
	"xterm", "uxterm", "lxterm", "rxvt", "urxvt", "gnome-terminal", "gnome-terminal-server", "org.gnome.terminal", "kgx", "org.gnome.console", "ptyxis", "konsole", "org.kde.konsole",
	"yakuake", "xfce4-terminal", "mate-terminal", "lxterminal", "qterminal", "terminator", "tilix", "guake", "tilda", "alacritty", "kitty", "foot", "wezterm", "wezterm-gui",
	"org.wezfurlong.wezterm", "st", "st-256color", "sakura", "terminology", "cool-retro-term", "deepin-terminal", "eterm", "aterm", "mlterm", "ghostty", "com.mitchellh.ghostty",
	"contour", "rio", "warp", "hyper", "tabby", "xfrun4", "gmrun", "rofi", "dmenu", "dmenu_run", "gnome-run",
}

// senders are programs that can send input to other windows.
var senders = []string{"xdotool", "ydotool", "dotool", "wtype", "xte", "xautomation", "wmctrl", "xmacroplay", "actiona", "x11vnc", "xnee", "cnee", "gnee", "kmacro"}
