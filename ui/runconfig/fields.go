package runconfig

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/ui/kit"
)

// Fields contains the fields for a server's arguments, environment and working directory.
type Fields struct {
	Args, Dir *kit.Input
	Vars      *Variables
	home      string            // the folder that ~ represents
	programs  []*fyne.Container // shown only for a program
}

// OfProgram is the name of the fields for a server that is a program.
const OfProgram = "Arguments, environment, folder"

// Extra returns the fields with their titles, initially hidden.
func (f *Fields) Extra() *fyne.Container {
	title := func(top float32, text string) *fyne.Container {
		return kit.Inset(kit.Margin{Top: top, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel(text, 13, kit.ColorText).Strong())
	}
	args := kit.Vertical(0, title(8, "More arguments"), kit.NewField(f.Args))
	dir := kit.Vertical(0, title(12, "Working directory"), kit.NewField(f.Dir))
	environment := title(8, "Environment")
	f.programs = []*fyne.Container{args, dir, environment}
	all := kit.Vertical(0, args, environment, f.Vars.Root, dir)
	all.Hide()
	return all
}

// Fit shows the fields of [Fields.Extra] that apply to servers, and returns a name for them. A
// server with a URL has headers. Several servers have only the values that their text asks for.
// Such fields have no separate titles.
func (f *Fields) Fit(list []launch.Server) string {
	name := OfProgram
	switch {
	case len(list) > 1:
		name = "Values"
	case len(list) == 1 && list[0].Kind == launch.Remote:
		name = "Headers"
	}
	for _, o := range f.programs {
		o.Hidden = name != OfProgram
	}
	f.Vars.call("variable")
	if name == "Headers" {
		f.Vars.call(header)
	}
	return name
}

// New returns empty fields. keyring reports whether there is a keyring for secrets, and home is
// the folder that ~ represents.
func New(clk *kit.Clock, keyring bool, home string) *Fields {
	f := &Fields{home: home, Vars: newVariables(clk, keyring)}
	f.Args = kit.NewInput(clk, `Optional, written as in a shell: --root "My files"`, false)
	f.Dir = kit.NewInput(clk, "Optional. Default: the folder goated was started in, or a package's own", false)
	return f
}

// Put fills the fields from l.
func (f *Fields) Put(l config.Launch) {
	f.Args.Put(config.Quoted(l.Args))
	f.Dir.Put(l.Dir)
	f.Vars.Put(l.Env)
}

// HasExtra reports whether the environment or the working directory has a value.
func (f *Fields) HasExtra() bool {
	return strings.TrimSpace(f.Dir.Text) != "" || slices.ContainsFunc(f.Vars.Rows, func(r *Row) bool { return r.variable() != (config.Variable{}) })
}

// SetOnSubmit sets the function that Enter runs in each field.
func (f *Fields) SetOnSubmit(do func()) {
	f.Args.OnSubmit, f.Dir.OnSubmit, f.Vars.OnSubmit = do, do, do
}

// SetOnRefuse sets the function that receives a message when a field rejects text.
func (f *Fields) SetOnRefuse(say func(string)) {
	f.Args.OnRefuse, f.Dir.OnRefuse, f.Vars.OnRefuse = say, say, say
}

// Read returns l with the values of the fields that apply; see [Fields.Fit]. If there is an
// error, it focuses the invalid field.
func (f *Fields) Read(l config.Launch) (_ config.Launch, err error) {
	if len(f.programs) > 0 && f.programs[0].Hidden {
		l.Args, l.Dir = nil, ""
		l.Env, err = f.Vars.read()
		return l, err
	}
	args, err := config.Split(f.Args.Text)
	if err != nil {
		kit.Focus(f.Args)
		return l, fmt.Errorf("the arguments can't be read: %w", err)
	}
	l.Args, l.Dir = args, config.ScriptPath(f.Dir.Text, f.home)
	if l.Dir != "" && strings.HasSuffix(l.Path, ".go") {
		kit.Focus(f.Dir)
		return l, errors.New("a .go script runs in its own folder: leave the working directory empty")
	}
	l.Env, err = f.Vars.read()
	return l, err
}

// Enable lets the user edit the fields, or prevents it.
func (f *Fields) Enable(on bool) {
	fields := []*kit.Input{f.Args, f.Dir}
	for _, r := range f.Vars.Rows {
		fields = append(fields, r.name, r.Value)
	}
	for _, in := range fields {
		if on {
			in.Enable()
		} else {
			in.Disable()
		}
	}
}
