package adding

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"goated/internal/config"
	"goated/internal/launch"
)

// answers is a [Prompter] that chooses its answer by a word in the question, and records the
// questions.
type answers struct {
	by    map[string]string
	asked []string
}

func (a *answers) Says(context.Context, string, string) string { return "" }

func (a *answers) Line(_ context.Context, prompt string) (string, error) {
	a.asked = append(a.asked, "line "+prompt)
	return a.answer(prompt), nil
}

func (a *answers) Secret(_ context.Context, prompt string) (string, error) {
	a.asked = append(a.asked, "secret "+prompt)
	return a.answer(prompt), nil
}

func (a *answers) answer(prompt string) string {
	for word, text := range a.by {
		if strings.Contains(prompt, word) {
			return text
		}
	}
	return ""
}

const inputsText = `code --add-mcp '{"name":"x","command":"npx","args":["x-mcp","--key=${input:k}"],"env":{"R":"${input:region}","TOKEN":"<your token>"},` +
	`"inputs":[{"id":"k","password":true,"description":"The key"},{"id":"region","default":"eu"}]}'`

// "servers add" ignored the inputs of a text, and left out variables without a value.
func TestValuesOfATextAreAskedFor(t *testing.T) {
	r, err := launch.Understand(inputsText, launch.Here(nil))
	if err != nil {
		t.Fatal(err)
	}
	var aside strings.Builder
	who := &answers{by: map[string]string{"The key": "s3cret", "x needs k:": "s3cret", "TOKEN": "t0p"}}
	l := Terminal{Aside: &aside, Prompter: who}.Complete(t.Context(), r.Servers[0], r.Inputs, nil)
	if got := strings.Join(config.Environ(l.Env), " ") + " " + strings.Join(l.Args, " "); got != "R=eu TOKEN=t0p input:k=s3cret x-mcp --key=${input:k}" {
		t.Error(got)
	}
	if got := strings.Join(who.asked, "|"); got != "secret x needs The key: |line x needs region, empty for eu: |secret x needs TOKEN: " {
		t.Error(got)
	}

	// Without a user, the values stay open, and the server is saved but off.
	nobody := Terminal{Aside: &aside}
	open := nobody.Complete(t.Context(), r.Servers[0], r.Inputs, []config.Variable{{Name: "input:region", Value: "us"}})
	saved := nobody.Waiting(open, r.Servers[0])
	if got := strings.Join(config.Environ(saved.Env), " "); got != "R=us TOKEN= input:k=" || !saved.Off || !strings.Contains(aside.String(), "x: TOKEN, k has no value yet") {
		t.Errorf("%s, off %t\n%s", got, saved.Off, aside.String())
	}
	if _, err := nobody.Without(open, r.Servers[0]); err == nil || !strings.Contains(err.Error(), "x needs k. Set it with --env input:k=value") {
		t.Error(err)
	}

	// When the user starts it, goated asks for the values.
	var held sync.Map
	secrets := config.NewSecrets(&config.Keyring{
		Save: func(ref, value string) error { held.Store(ref, value); return nil },
		Load: func(ref string) (string, error) {
			value, ok := held.Load(ref)
			if !ok {
				return "", errors.New("not in the keyring")
			}
			return value.(string), nil
		},
	})
	if _, err := nobody.Enter(t.Context(), secrets, saved); err == nil || !strings.Contains(err.Error(), "x needs TOKEN") {
		t.Error(err)
	}
	if _, err := (Terminal{Aside: &aside, Prompter: who}).Enter(t.Context(), secrets, saved); err != nil {
		t.Error(err)
	}
	if filled, missing := secrets.Fill(saved.Env); len(missing) > 0 || strings.Join(config.Environ(filled), " ") != "R=us TOKEN=t0p input:k=s3cret" && filled[2].Value != "" {
		t.Errorf("%+v, %+v", filled, missing)
	}
}

// --env NAME=value set an environment variable, and the reference in the arguments stayed.
func TestPassedValuesFillArguments(t *testing.T) {
	l := config.Launch{Command: "x-mcp", Args: []string{"--key", "${input:K}"}, Env: []config.Variable{{Name: "input:K", Ref: "server-1"}}}
	l, err := Passed(l, []config.Variable{{Name: "K", Value: "v"}, {Name: "MODE", Value: "fast"}}, nil)
	if got := strings.Join(config.Environ(l.Env), " "); err != nil || got != "input:K=v MODE=fast" || l.Env[0].Ref != "" {
		t.Errorf("%q, %v", got, err)
	}
}

// A README with "API_KEY": "" leaves the key to its reader. Nobody was asked for it. A server of another client may run
// without it, so it is not off.
func TestAnEmptySecretIsAskedFor(t *testing.T) {
	r, err := launch.Understand(`{"mcpServers":{"shop":{"command":"npx","args":["shop-mcp"],"env":{"SHOP_API_KEY":"","SHOP_NOTE":""}}}}`, launch.Here(nil))
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{"s3cret": "SHOP_API_KEY=s3cret SHOP_NOTE=", "": "SHOP_API_KEY= SHOP_NOTE="} {
		who := &answers{by: map[string]string{"SHOP_API_KEY": answer}}
		l := Terminal{Prompter: who}.Complete(t.Context(), r.Servers[0], r.Inputs, nil)
		if got := strings.Join(config.Environ(l.Env), " "); got != want || strings.Join(who.asked, "|") != "secret shop needs SHOP_API_KEY: " {
			t.Errorf("%q after %q", got, who.asked)
		}
		if l, missing := config.MarkMissing(l, r.Servers[0]); len(missing) > 0 {
			t.Errorf("%+v waits for %q", l, missing)
		}
	}
}

// The path of a program that a text leaves to the user was refused in a terminal, too. Without anybody to ask, the
// server is saved, but off.
func TestThePathOfAProgramIsAskedFor(t *testing.T) {
	r, err := launch.Understand(`{"mcpServers":{"fs":{"command":"/path/to/fs-server","args":["--stdio"]}}}`, launch.Here(nil))
	if err != nil {
		t.Fatal(err)
	}
	who := &answers{by: map[string]string{"fs needs your path in place of /path/to/fs-server:": "~/bin/fs"}}
	if l := (Terminal{Prompter: who}).Complete(t.Context(), r.Servers[0], r.Inputs, nil); l.Command != filepath.Join(homeDir(), "bin/fs") || len(l.Env) > 0 {
		t.Errorf("%+v after %q", l, who.asked)
	}
	var aside strings.Builder
	nobody := Terminal{Aside: &aside}
	open := nobody.Complete(t.Context(), r.Servers[0], r.Inputs, nil)
	saved := nobody.Waiting(open, r.Servers[0])
	if !saved.Off || Line(saved) != "/path/to/fs-server --stdio" || !strings.HasPrefix(aside.String(), "fs: your path in place of /path/to/fs-server has no value yet, so the server is off.") {
		t.Errorf("%+v, %s\n%s", saved, Line(saved), aside.String())
	}
	if _, err := nobody.Without(open, r.Servers[0]); err == nil || !strings.HasPrefix(err.Error(), "the server fs needs your path in place of /path/to/fs-server.") {
		t.Error(err)
	}
	if l, err := Passed(saved, []config.Variable{{Name: "path.path.to.fs-server", Value: "/srv/fs"}}, nil); err != nil || l.Command != "/srv/fs" || len(l.Env) > 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

// In a terminal, a server was saved and started with the placeholders among its arguments.
func TestPlaceholdersAmongArgumentsAreAskedFor(t *testing.T) {
	r, err := launch.Understand("docker run -i -v /path/to/notes:/notes acme/notes --key=YOUR_KEY", launch.Here(nil))
	if err != nil {
		t.Fatal(err)
	}
	who := &answers{by: map[string]string{"notes needs your path in place of /path/to/notes:": "~/notes", "notes needs key:": "purr"}}
	l := (Terminal{Prompter: who}).Complete(t.Context(), r.Servers[0], r.Inputs, nil)
	if want := "docker run -i -v " + filepath.Join(homeDir(), "notes") + ":/notes acme/notes '--key=${input:key}'"; Line(l) != want || len(l.Env) != 1 || l.Env[0].Value != "purr" || l.Env[0].Ref == "" {
		t.Errorf("%s, %+v after %q", Line(l), l.Env, who.asked)
	}
	var aside strings.Builder
	nobody := Terminal{Aside: &aside}
	open := nobody.Complete(t.Context(), r.Servers[0], r.Inputs, nil)
	if saved := nobody.Waiting(open, r.Servers[0]); !saved.Off || !strings.Contains(aside.String(), "your path in place of /path/to/notes, key has no value yet, so the server is off.") {
		t.Errorf("%+v\n%s", saved, aside.String())
	}
	if _, err := nobody.Without(open, r.Servers[0]); err == nil || !strings.HasPrefix(err.Error(), "the server notes needs your path in place of /path/to/notes. Set it with --env input:path.path.to.notes=value") {
		t.Error(err)
	}
	given := []config.Variable{{Name: "input:path.path.to.notes", Value: "/srv/notes"}, {Name: "input:key", Value: "purr"}}
	if l := nobody.Complete(t.Context(), r.Servers[0], r.Inputs, given); !strings.Contains(Line(l), "/srv/notes:/notes") || len(l.Env) != 1 {
		t.Errorf("%s, %+v", Line(l), l.Env)
	}
}

// "servers enable" asked for a folder as for a password, and put it into the keyring. The window makes it
// part of the command.
func TestEnteredFolderIsNoKey(t *testing.T) {
	l := config.Launch{Name: "files", Command: "npx", Args: []string{"files-mcp", "${input:workspaceFolder}"}, Env: []config.Variable{
		{Name: "input:workspaceFolder", Ref: "server-1"}, {Name: "KEY", Ref: "server-2"}}}
	var held []string
	secrets := config.NewSecrets(&config.Keyring{
		Save: func(ref, value string) error { held = append(held, ref+"="+value); return nil },
		Load: func(string) (string, error) { return "", errors.New("not in the keyring") },
	})
	who := &answers{by: map[string]string{"the folder of your project": "/srv/shop", "KEY": "hush"}}
	folders, err := Terminal{Prompter: who}.Enter(t.Context(), secrets, l)
	if err != nil || strings.Join(held, " ") != "server-2=hush" || strings.Join(who.asked, "|") != "line files needs the folder of your project: |secret files needs KEY: " {
		t.Errorf("%v: the keyring has %q after the questions %q", err, held, who.asked)
	}
	none := Terminal{}
	own := config.Launch{Name: "fs", Env: []config.Variable{{Name: "input:path.Users.username.Desktop", Ref: "server-3"}}}
	if _, err := none.Enter(t.Context(), secrets, own); err == nil || !strings.HasPrefix(err.Error(), "the server fs needs your path in place of /Users/username/Desktop.") {
		t.Errorf("without a terminal: %v", err)
	}
	if l = l.WithValues(folders); strings.Join(l.Args, " ") != "files-mcp /srv/shop" || len(l.Env) != 1 {
		t.Errorf("the server is %+v", l)
	}
	l.Env, l.Args = []config.Variable{{Name: "input:workspaceFolder", Ref: "server-1"}}, []string{"${input:workspaceFolder}"}
	if folders, err = (Terminal{Prompter: who}).Enter(t.Context(), config.NewSecrets(nil), l); err != nil || len(folders) != 1 {
		t.Errorf("without a keyring: %v, %q", err, folders)
	}
}
