package runconfig

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/ui/kit"
)

// Fields has the fields for a server's arguments, environment and working
// directory.
type Fields struct {
	Args, Dir *kit.Input
	Vars      *Variables
	home      string // for ~
}

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

// SetOnSubmit sets the function that Enter calls in each field.
func (f *Fields) SetOnSubmit(do func()) {
	f.Args.OnSubmit, f.Dir.OnSubmit, f.Vars.OnSubmit = do, do, do
}

// SetOnRefuse sets the function that receives the message when a field refuses
// text.
func (f *Fields) SetOnRefuse(say func(string)) {
	f.Args.OnRefuse, f.Dir.OnRefuse, f.Vars.OnRefuse = say, say, say
}

// Read returns l with the values of the fields. On an error it focuses the
// wrong field.
func (f *Fields) Read(l config.Launch) (config.Launch, error) {
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
