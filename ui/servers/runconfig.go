package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/ui/kit"
)

// A runConfig has the fields for a server's arguments, environment and working
// directory.
type runConfig struct {
	args, dir *kit.Input
	vars      *variables
	home      string // for ~
}

func newRunConfig(clk *kit.Clock, keyring bool, home string) *runConfig {
	f := &runConfig{home: home, vars: newVariables(clk, keyring)}
	f.args = kit.NewInput(clk, `Optional, written as in a shell: --root "My files"`, false)
	f.dir = kit.NewInput(clk, "Optional. Default: the folder goated was started in, or a package's own", false)
	return f
}

// put fills the fields from l.
func (f *runConfig) put(l config.Launch) {
	f.args.Put(config.Quoted(l.Args))
	f.dir.Put(l.Dir)
	f.vars.put(l.Env)
}

// hasExtra reports whether the environment or the working directory has a value.
func (f *runConfig) hasExtra() bool {
	return strings.TrimSpace(f.dir.Text) != "" || slices.ContainsFunc(f.vars.rows, func(r *variableRow) bool { return r.variable() != (config.Variable{}) })
}

// setOnSubmit sets the function that Enter calls in each field.
func (f *runConfig) setOnSubmit(do func()) {
	f.args.OnSubmit, f.dir.OnSubmit, f.vars.OnSubmit = do, do, do
}

// setOnRefuse sets the function that receives the message when a field refuses
// text.
func (f *runConfig) setOnRefuse(say func(string)) {
	f.args.OnRefuse, f.dir.OnRefuse, f.vars.OnRefuse = say, say, say
}

// read returns l with the values of the fields. On an error it focuses the
// wrong field.
func (f *runConfig) read(l config.Launch) (config.Launch, error) {
	args, err := config.Split(f.args.Text)
	if err != nil {
		kit.Focus(f.args)
		return l, fmt.Errorf("the arguments can't be read: %w", err)
	}
	l.Args, l.Dir = args, config.ScriptPath(f.dir.Text, f.home)
	if l.Dir != "" && strings.HasSuffix(l.Path, ".go") {
		kit.Focus(f.dir)
		return l, errors.New("a .go script runs in its own folder: leave the working directory empty")
	}
	l.Env, err = f.vars.read()
	return l, err
}

func (f *runConfig) enable(on bool) {
	fields := []*kit.Input{f.args, f.dir}
	for _, r := range f.vars.rows {
		fields = append(fields, r.name, r.value)
	}
	for _, in := range fields {
		if on {
			in.Enable()
		} else {
			in.Disable()
		}
	}
}
