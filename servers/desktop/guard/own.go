package guard

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"goated/servers/desktop/element"
)

// Own defines which processes and windows belong to goated: its window, the terminal that it runs
// in, and everything of the same X clients. The zero value owns nothing.
type Own struct {
	PIDs    []int    // goated and its ancestors up to the session
	Windows []uint64 // windows of goated, whatever process they name
	// Mask contains the bits that distinguish the windows of one X client (the resource-id-mask of
	// the display). Windows of the same client as one of Windows are goated's too. If Mask is 0,
	// only Windows themselves are.
	Mask uint64
	// Classes are the class names of goated's windows, in lower case.
	Classes []string
	// Program is goated's executable.
	Program string
}

// Process reports whether a process belongs to goated.
func (o Own) Process(pid int) bool { return pid != 0 && slices.Contains(o.PIDs, pid) }

// Window reports whether a window belongs to goated.
func (o Own) Window(w element.Window) bool {
	if o.Process(w.PID) || w.Class != "" && slices.Contains(o.Classes, strings.ToLower(w.Class)) {
		return true
	}
	return slices.ContainsFunc(o.Windows, func(id uint64) bool {
		return id == w.ID || o.Mask != 0 && id&^o.Mask == w.ID&^o.Mask
	})
}

// Ancestors returns a process and its ancestors up to the session. The terminal that shows goated's
// questions is one of them. With a multiplexer such as tmux, the terminal belongs to the
// multiplexer's clients, so Ancestors also returns the ancestors of those. It stops at processes of
// another user and at the first process. It leaves out processes for which except returns true,
// such as the window manager.
func Ancestors(pid int, except func(pid int, name string) bool) []int {
	uid, _ := status(pid, "Uid")
	pids, clients := ancestors(nil, pid, uid, except)
	for _, pid := range processes(clients) {
		pids, _ = ancestors(pids, pid, uid, except)
	}
	return pids
}

// ancestors adds a process and its ancestors to pids. clients are the names of the programs that
// display the multiplexers among them.
func ancestors(pids []int, pid int, uid string, except func(pid int, name string) bool) (_ []int, clients []string) {
	for range 64 {
		if pid <= 1 || slices.Contains(pids, pid) {
			return pids, clients
		}
		name, _ := status(pid, "Name")
		user, ok := status(pid, "Uid")
		if !ok || user != uid {
			return pids, clients
		}
		switch name {
		case "tmux: server":
			clients = append(clients, "tmux: client")
		case "screen", "zellij", "dtach", "abduco", "shpool":
			clients = append(clients, name)
		}
		if except == nil || !except(pid, name) {
			pids = append(pids, pid)
		}
		parent, _ := status(pid, "PPid")
		next, err := strconv.Atoi(parent)
		if err != nil {
			return pids, clients
		}
		pid = next
	}
	return pids, clients
}

// processes returns the PIDs of processes with one of the names.
func processes(names []string) (pids []int) {
	if len(names) == 0 {
		return nil
	}
	entries, _ := os.ReadDir("/proc") // hidden processes are not found
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if name, ok := status(pid, "Name"); ok && slices.Contains(names, name) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// DesktopShell reports whether a process is a window manager, a panel or a session. Such a process
// starts goated but shows none of its questions. Use it as except of [Ancestors].
func DesktopShell(_ int, name string) bool {
	for _, shell := range []string{"systemd", "init", "gnome-shell", "gnome-session", "plasma", "kwin", "ksmserver", "kdeinit", "xfce4-", "xfdesktop", "xfwm4", "mate-panel", "mate-session", "marco",
		"cinnamon", "budgie", "lxpanel", "lxsession", "lxqt-", "openbox", "fluxbox", "icewm", "i3", "awesome", "bspwm", "sway", "tint2", "dbus-daemon", "dbus-broker", "login", "sshd", "lightdm", "gdm", "sddm", "xinit", "startx"} {
		if strings.HasPrefix(name, shell) && name != "xfce4-terminal" {
			return true
		}
	}
	return false
}

// status reads a field of a process's status file.
func status(pid int, field string) (string, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "", false
	}
	for line := range bytes.Lines(data) {
		if v, ok := strings.CutPrefix(string(line), field+":"); ok {
			v, _, _ = strings.Cut(strings.TrimSpace(v), "\t")
			return v, true
		}
	}
	return "", false
}

// sameFile reports whether two paths name the same file.
func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
