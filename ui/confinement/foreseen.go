package confinement

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/launch"
	"goated/internal/paths"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/view"
)

// A Foreseen is what a server will be allowed to do in its sandbox, before the server starts. It
// is also the only place where the user can make the folders among its arguments writable. The
// zero value is ready to use.
type Foreseen struct {
	Sandbox sandbox.Status  // how far this system will confine the server
	Private []string        // goated's own folders, which are not offered
	Guards  bool            // the system protects some files in the folders that servers may write
	changes map[string]bool // the paths that the user makes writable for the server
	Redraw  func()
	Keeps   func(launch.Server) config.Launch // returns what the settings already allow the server; may be nil

	kept    config.Launch        // the result of Keeps for the server
	Named   sandbox.Grant        // the paths among the server's arguments
	own     []string             // the folder of its script, or only the script
	Offered []sandbox.Permission // the permissions to change paths among the arguments; see Look
}

// Look examines the paths among the arguments of a server. It does not offer dangerous
// permissions. goated asks for such a permission, with its warning, when the server first writes
// there.
func (f *Foreseen) Look(s launch.Server) {
	f.Named, f.Offered, f.own, f.kept = client.GrantOfArguments(s.Args), nil, nil, config.Launch{}
	if f.Keeps != nil {
		f.kept = f.Keeps(s)
	}
	script := ""
	if s.Origin.Source == launch.Local {
		script = s.Origin.Package
	}
	if info, err := os.Stat(script); err == nil && !info.IsDir() {
		f.own = sandbox.For("", script, "", nil, f.Private...).Read
	} else if script != "" {
		f.own = []string{script}
	}
	for _, path := range f.Named.Read {
		if path == script {
			continue // the server could change itself, which does not help the user
		}
		p := sandbox.Permission{Kind: sandbox.ToWrite, Path: path}
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			p.Kind = sandbox.ToWriteFile
		}
		if p = p.Resolved(); !paths.WithinAny(p.Path, f.allowed(sandbox.ToWrite, sandbox.ToWriteFile)) && view.Danger(p, f.Private, f.Guards) == "" {
			f.Offered = append(f.Offered, p)
		}
	}
}

// Agreed returns the permissions that the user gives by adding a server: to install the package
// in its command, to reach the hosts in its settings, and to change the chosen folders.
func (f *Foreseen) Agreed(s launch.Server) (out sandbox.Permissions) {
	if !f.Sandbox.Confined() || f.kept.NoSandbox {
		return nil
	}
	if s.Registry() != "" {
		out = append(out, sandbox.Permission{Kind: sandbox.ToInstall})
	}
	for _, host := range hostsOf(s) {
		out = append(out, sandbox.Permission{Kind: sandbox.ToHost, Host: host})
	}
	for _, p := range f.Offered {
		if f.changes[p.Path] {
			out = append(out, p)
		}
	}
	return out
}

// hostsOf returns the hosts in the arguments and variables of a server.
func hostsOf(s launch.Server) (out []string) {
	if s.Kind == launch.Remote {
		return nil
	}
	var env []string
	for _, v := range s.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	for _, p := range consent.HostsIn(s.Command, s.Args, env) {
		out = append(out, p.Host)
	}
	return out
}

// Block shows what a server will be allowed to do.
func (f *Foreseen) Block(s launch.Server) fyne.CanvasObject {
	indent := func(o fyne.CanvasObject) fyne.CanvasObject {
		return kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: 26}, o)
	}
	line := kit.Inset(kit.Margin{Top: 6, Right: 0, Bottom: 6, Left: 0}, kit.NewLine())
	if !f.Sandbox.Confined() || f.kept.NoSandbox {
		says := "It runs without the sandbox, as you chose. Its Permissions page changes that."
		if !f.Sandbox.Confined() {
			says = view.ExpectedConfinement(f.Sandbox)
		}
		words := kit.NewText(says, 12, 18, kit.ColorWarn)
		return kit.Vertical(0, line, container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 18, kit.NewIcon("shield-off", 16, kit.ColorBad)), words))
	}
	if why := beyond(s); why != "" {
		title := kit.NewText("It can't run in the sandbox", 13, 20, kit.ColorText)
		title.Style.Bold = true
		words := kit.Vertical(2, title, kit.NewText(why+" When the server fails, goated offers to run it without the sandbox. Do that only if you trust it like a program that you installed.", 12, 18, kit.ColorMuted))
		return kit.Vertical(0, line, container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("shield-off", 16, kit.ColorWarn)), words))
	}
	says, icon, ink := "In the sandbox it can do only this", "shield-check", kit.ColorGood
	lacks := view.SandboxGaps(f.Sandbox)
	if lacks != "" {
		says, icon, ink = "In the sandbox it can do this", "shield", kit.ColorWarn
	}
	title := kit.NewLabel(says, 13, kit.ColorText).Strong().Elided()
	head := container.New(kit.Row{Gap: 10, Flex: title}, kit.NewIcon(icon, 16, ink), title)
	row := func(name, value string) fyne.CanvasObject {
		text := kit.NewText(value, 12, 18, kit.ColorText)
		return indent(container.New(kit.Row{Gap: 10, Flex: text, Top: true}, kit.Sized(86, 20, kit.NewLabel(name, 13, kit.ColorMuted)), text))
	}
	rows := kit.Vertical(4, line, head, row("Read", f.reads()))
	if len(f.Offered) != 1 {
		rows.Add(row("Write", f.writes()))
	}
	for _, p := range f.Offered {
		path, text := p.Path, "Let it change "+view.Tilde(p.Path)
		if f.changes[path] {
			text = "Let it only read " + view.Tilde(path)
		}
		link := kit.NewButton(kit.Outline, "pencil", text, func() {
			if f.changes == nil {
				f.changes = make(map[string]bool)
			}
			f.changes[path] = !f.changes[path]
			f.Redraw()
		}).Small()
		gap := kit.NewLabel("", 12, kit.ColorText).Elided()
		if len(f.Offered) == 1 { // beside the folder
			words := kit.NewLabel(f.writes(), 12, kit.ColorText).Elided()
			rows.Add(indent(container.New(kit.Row{Gap: 10, Flex: words}, kit.Sized(86, 20, kit.NewLabel("Write", 13, kit.ColorMuted)), words, link)))
			continue
		}
		rows.Add(kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 2, Left: 122}, kit.Horizontal(0, gap, link, gap)))
	}
	rows.Add(row("Network", f.network(s)))
	if also := f.also(s); also != "" {
		rows.Add(row("Also", also))
	}
	if lacks != "" {
		rows.Add(indent(kit.NewText(lacks, 12, 18, kit.ColorWarn)))
	}
	return rows
}

// beyond returns why no permission of the sandbox is enough for a server, or "" if there is no reason.
func beyond(s launch.Server) string {
	if host := s.OverSSH(); host != "" {
		return "ssh starts it on " + host + ", and needs your keys and your key agent. The sandbox blocks both."
	}
	if product := containers(s); product != "" {
		return product + " starts containers, which no permission of the sandbox allows."
	}
	return ""
}

// containers returns the program that starts the containers of a server, for example Docker. It
// returns "" if there is none, or if it runs on another computer.
func containers(s launch.Server) string {
	for _, v := range s.Env {
		if (v.Name == "DOCKER_HOST" || v.Name == "CONTAINER_HOST") && !strings.HasPrefix(v.Value, "unix:") {
			return ""
		}
	}
	switch name := strings.TrimSuffix(strings.ToLower(filepath.Base(s.Command)), ".exe"); {
	case name == "podman" || name == "podman-compose":
		return "Podman"
	case name == "nerdctl":
		return "containerd"
	case name == "docker" || name == "docker-compose" || s.Origin.Source == launch.Container:
		return "Docker"
	}
	return ""
}

// reads describes what the server reads besides programs and libraries.
func (f *Foreseen) reads() string {
	list := slices.Clone(f.own)
	for _, path := range slices.Concat(f.Named.Read, f.allowed(sandbox.ToRead)) {
		if !paths.WithinAny(path, list) {
			list = append(list, path)
		}
	}
	return listed(list, "None of your files")
}

// allowed returns the paths of the permissions of some kinds that the user has already given.
func (f *Foreseen) allowed(kinds ...sandbox.Kind) (paths []string) {
	for _, p := range f.kept.Allowed {
		if slices.Contains(kinds, p.Kind) {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// also describes the existing permissions that no other row describes.
func (f *Foreseen) also(s launch.Server) string {
	var out []string
	for _, p := range f.kept.Allowed {
		said := p.Path != "" || p.Kind == sandbox.ToHost || p.Kind == sandbox.ToNetwork || p.Kind == sandbox.ToInstall && s.Registry() != ""
		if !said {
			out = append(out, view.PermissionName(p))
		}
	}
	return strings.Join(out, ", ")
}

// writes describes what the server may change.
func (f *Foreseen) writes() string {
	paths := slices.Concat(f.Named.Files, f.allowed(sandbox.ToWrite, sandbox.ToWriteFile))
	for _, p := range f.Offered {
		if f.changes[p.Path] {
			paths = append(paths, p.Path)
		}
	}
	if len(paths) == 0 {
		return "Its own folder only"
	}
	return "Its own folder, " + listed(paths, "")
}

// listed returns paths as text, or none if there are no paths.
func listed(paths []string, none string) string {
	if len(paths) == 0 {
		return none
	}
	short := make([]string, len(paths))
	for i, p := range paths {
		short[i] = view.Tilde(p)
	}
	return strings.Join(short, ", ")
}

// network describes which hosts the server may reach.
func (f *Foreseen) network(s launch.Server) string {
	named, allowed := hostsOf(s), []string(nil)
	for _, p := range f.kept.Allowed {
		switch {
		case p.Kind == sandbox.ToNetwork:
			return "All of it, as you allowed."
		case p.Kind == sandbox.ToHost && !slices.Contains(named, p.Host):
			allowed = append(allowed, p.Host)
		}
	}
	var parts []string
	if name := s.Registry(); name != "" {
		parts = append(parts, "The "+name+" registry, to install it")
	}
	if len(named) > 0 {
		parts = append(parts, strings.Join(named, ", ")+", which its settings name")
	}
	if len(allowed) > 0 {
		parts = append(parts, strings.Join(allowed, ", ")+", which you allowed")
	}
	if len(parts) == 0 {
		return "None. goated asks when it wants to reach a host."
	}
	return strings.Join(parts, ", and ") + ". goated asks about other hosts."
}

// WithAgreed returns l with those of the agreed permissions that it does not have yet.
func WithAgreed(l config.Launch, agreed sandbox.Permissions) config.Launch {
	l.Allowed = slices.Clone(l.Allowed)
	for _, p := range agreed {
		if !l.Allowed.Has(p) {
			l.Allowed = append(l.Allowed, p)
		}
	}
	return l
}
