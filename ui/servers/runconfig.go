package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/ui/kit"
)

// A runConfig is how a server is run, to be filled in: its arguments, its
// environment, and its working directory.
type runConfig struct {
	args, dir *kit.Input
	vars      *variables
	home      string // for ~
}

func newRunConfig(clk *kit.Clock, keyring bool, home string) *runConfig {
	f := &runConfig{home: home, vars: newVariables(clk, keyring)}
	f.args = kit.NewInput(clk, "Optional, as in a shell: --root \"My files\"", false)
	f.dir = kit.NewInput(clk, "Optional: the folder that goated was started in", false)
	return f
}

// put fills it in.
func (f *runConfig) put(l config.Launch) {
	f.args.Put(config.Quoted(l.Args))
	f.dir.Put(l.Dir)
	f.vars.put(l.Env)
}

// wide reports whether more than the arguments is filled in.
func (f *runConfig) wide() bool {
	return strings.TrimSpace(f.dir.Text) != "" || slices.ContainsFunc(f.vars.rows, func(r *variableRow) bool { return r.variable() != (config.Variable{}) })
}

// submits has f run what Enter does in each of the fields.
func (f *runConfig) submits(do func()) {
	f.args.OnSubmit, f.dir.OnSubmit, f.vars.OnSubmit = do, do, do
}

// refuses has f told what a field would not take.
func (f *runConfig) refuses(say func(string)) {
	f.args.OnRefuse, f.dir.OnRefuse, f.vars.OnRefuse = say, say, say
}

// read adds to l what is filled in. If something is wrong it says what, and puts
// the focus there.
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
