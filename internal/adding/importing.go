// Package adding asks the user in a terminal which servers of other clients to import, and for the
// values that a server needs. It does not save servers; its callers do. It must not depend on
// settings files or the window. Its sentences mention goated's flags, but it does not parse flags.
// It uses a host only to watch a server that restarts.
package adding

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/safetext"
	"goated/internal/shellword"
	"goated/internal/transfer"
	"goated/internal/wording"
)

// A Prompter asks the user questions.
type Prompter interface {
	// Says asks for a word and returns it in lower case.
	Says(ctx context.Context, about, question string) string
	// Secret and Line ask for a text. Secret does not echo it.
	Secret(ctx context.Context, prompt string) (string, error)
	Line(ctx context.Context, prompt string) (string, error)
}

// A Terminal is where the user adds servers.
type Terminal struct {
	Out      io.Writer // results
	Aside    io.Writer // notes and questions
	Prompter Prompter  // nil: there is no user to ask
}

// An Importable is a server of another client.
type Importable struct {
	transfer.Entry
	File   transfer.File
	Saved  bool // goated has already saved it
	inputs []launch.Input
}

// Importables returns the servers in files. It prints to Aside what it could not parse.
func (t Terminal) Importables(files []transfer.File, saved []config.Launch) []Importable {
	var list []Importable
	for _, f := range files {
		found := transfer.Read(f, launch.Here(nil))
		if found.Err != nil {
			fmt.Fprintln(t.Aside, found.Err.Error())
		}
		for _, e := range found.Servers {
			if e.Err != nil {
				fmt.Fprintf(t.Aside, "%s: %s\n", f.Path, e.Problem())
				continue
			}
			if name, own := e.Own(); own {
				fmt.Fprintf(t.Aside, "%s: %s\n", f.Path, BundledError(name))
				continue
			}
			list = append(list, Importable{Entry: e, File: f, inputs: found.Inputs, Saved: e.Saved(saved)})
		}
	}
	return list
}

// Choose prints the servers. It returns those with the given names, all that are not saved yet, or
// those that the user chooses.
func (t Terminal) Choose(ctx context.Context, list []Importable, all bool, names []string) ([]Importable, error) {
	if len(names) > 0 {
		var numbers []int
		for _, name := range names {
			at := slices.IndexFunc(list, func(i Importable) bool { return strings.EqualFold(i.Name, name) })
			if at < 0 {
				return nil, fmt.Errorf("no other client has a server %q. \"goated servers import\" lists them", name)
			}
			numbers = append(numbers, at)
		}
		return t.once(those(list, numbers)), nil
	}
	fresh := slices.DeleteFunc(slices.Clone(list), func(i Importable) bool { return i.Saved })
	printImports(t.Out, list)
	switch {
	case all:
		return t.once(fresh), nil
	case len(fresh) == 0:
		fmt.Fprintln(t.Out, "\nAll of them are saved in goated.")
		return nil, nil
	case t.Prompter == nil:
		fmt.Fprintln(t.Out, "\nNothing is saved yet. Name the servers to save, or use --all.")
		return nil, nil
	}
	answer := t.Prompter.Says(ctx, "Each of these runs as a program on your computer, in goated's sandbox, or is a server elsewhere.", "Which ones do you want to save? Numbers, all, or none: ")
	chosen, err := picked(answer, list)
	return t.once(chosen), err
}

// once returns the servers without duplicates of an earlier one from another client.
func (t Terminal) once(list []Importable) (out []Importable) {
	for _, i := range list {
		at := slices.IndexFunc(out, func(o Importable) bool { return o.Repeats(i.Entry) })
		if at < 0 {
			out = append(out, i)
			continue
		}
		fmt.Fprintf(t.Aside, "%s of %s is the same as %s of %s, so goated saves it once\n", i.Name, i.File.App.Name, out[at].Name, out[at].File.App.Name)
	}
	return out
}

// Adopted returns the servers to save, each with a unique name.
func (t Terminal) Adopted(ctx context.Context, secrets *config.Secrets, chosen []Importable, s config.Settings) (added []config.Launch) {
	for _, c := range chosen {
		l := t.adopt(ctx, secrets, c)
		l.Name = config.UnusedName(l.DisplayName(), s.ServerNames(added))
		added = append(added, l)
	}
	return added
}

// BundledError returns the error for importing one of goated's own servers.
func BundledError(name string) error {
	return fmt.Errorf("%s comes with goated. Turn it on: goated servers enable %s", name, shellword.Quote(name))
}

// printImports prints the servers with their exact commands, grouped by file.
func printImports(out io.Writer, list []Importable) {
	file := ""
	for n, i := range list {
		if i.File.Path != file {
			file = i.File.Path
			fmt.Fprintf(out, "%s, %s\n", i.File.App.Name, file)
		}
		note := ""
		if i.Saved {
			note = "  (saved)"
		}
		draft := transfer.Drafted(i.Server, nil, nil)
		fmt.Fprintf(out, "%4d  %-20s %s%s\n", n+1, safetext.Name(i.Name), Line(draft.Launch), note)
		Details(out, fmt.Sprintf("%26s", ""), draft.Launch)
	}
}

// picked parses an answer such as "1 3,4" or "all".
func picked(answer string, list []Importable) ([]Importable, error) {
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 1 && words[0] == "all" {
		return slices.DeleteFunc(slices.Clone(list), func(i Importable) bool { return i.Saved }), nil
	}
	var numbers []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		switch {
		case w == "none" || w == "n" || w == "no":
			return nil, nil
		case err != nil || n < 1 || n > len(list):
			return nil, fmt.Errorf("%q is not a number from 1 to %d", w, len(list))
		}
		numbers = append(numbers, n-1)
	}
	return those(list, numbers), nil
}

// those returns the servers at the given indexes, each only once, because a user may enter one
// twice.
func those(list []Importable, at []int) (chosen []Importable) {
	for i, n := range at {
		if !slices.Contains(at[:i], n) {
			chosen = append(chosen, list[n])
		}
	}
	return chosen
}

// adopt returns the server to save. It asks for values that the file leaves to the user, and stores
// secrets in the keyring.
func (t Terminal) adopt(ctx context.Context, secrets *config.Secrets, i Importable) config.Launch {
	for _, n := range i.Server.Notes {
		fmt.Fprintf(t.Aside, "%s: %s\n", i.Name, Note(n))
	}
	l := transfer.Drafted(i.Server, i.inputs, t.inputs(ctx, i.Server, i.inputs, nil)).Launch
	l.Env = t.values(ctx, i.Name, l.Env, i.Server.Env)
	l.Headers = t.values(ctx, i.Name, l.Headers, i.Server.Remote.Headers)
	return t.Keep(secrets, t.Waiting(l, i.Server))
}

// Keep stores the secrets of a server in the keyring. If the keyring does not accept a value, it is
// not written anywhere else.
func (t Terminal) Keep(secrets *config.Secrets, l config.Launch) config.Launch {
	if secrets.Persistent() {
		l = l.WithoutSecrets()
	} else {
		t.InTheClear(l)
	}
	given := l
	for _, list := range []*[]config.Variable{&l.Env, &l.Headers} {
		stored, err := secrets.Put(*list, nil)
		if err != nil {
			l.Off = true // like a server without its values
			fmt.Fprintf(t.Aside, "%s: its keys can't be kept in the system's keyring: %s. So the server is off. Enter them on the server's page in the window, or pass them at each start: --server %s%s\n", l.DisplayName(), err, shellword.Quote(l.DisplayName()), PassFlags(given))
		}
		*list = stored
	}
	return l
}

// Line returns the command line or URL of a server, quoted for a shell. ${input:NAME} replaces a
// secret, even if the settings contain its value because there is no keyring.
func Line(l config.Launch) string {
	l = l.WithoutSecrets()
	words := append([]string{l.Path + l.Command + l.URL}, l.Args...)
	for i, w := range words {
		words[i] = shellword.Quote(launch.ShownFolders(w))
	}
	return strings.Join(words, " ")
}

// Details prints everything besides [Line] that determines what a server does: its working
// directory, variables and headers. It hides keys.
func Details(w io.Writer, margin string, l config.Launch) {
	if l.Dir != "" {
		fmt.Fprintf(w, "%s in the folder %s\n", margin, shellword.Quote(l.Dir))
	}
	for _, v := range l.Env {
		fmt.Fprintf(w, "%s %s=%s\n", margin, shellword.Quote(v.Name), shown(v))
	}
	for _, v := range l.Headers {
		fmt.Fprintf(w, "%s with the header %s: %s\n", margin, shellword.Quote(v.Name), shown(v))
	}
}

// shown returns the value of a variable without keys. In a URL, it hides only the password, because
// the host of a proxy, for example, determines what a server does.
func shown(v config.Variable) string {
	switch named := (config.Variable{Name: v.Name}); {
	case v.Value == "" && v.Ref == "":
		return ""
	case named.Secret() || config.LooksSecret(v.Value):
		return "…"
	case v.Secret():
		if u, err := url.Parse(v.Value); err == nil && u.User != nil {
			u.User = url.User("…")
			return shellword.Quote(strings.Replace(u.String(), url.User("…").String()+"@", "…@", 1))
		}
		return "…"
	case v.Ref != "":
		return "…" // the value is in the keyring
	}
	return shellword.Quote(v.Value)
}

// NameTakenError returns the error for a name that another server has.
func NameTakenError(name string, bundled bool) error {
	if bundled {
		return fmt.Errorf("the name %s is taken by a server that comes with goated. Choose another --name", name)
	}
	return fmt.Errorf("the name %s is taken. Choose another --name, or remove that server first: goated servers remove %s", name, shellword.Quote(name))
}

// Saved returns the error for a server that is already saved under name.
func Saved(name string) error {
	return fmt.Errorf("it is already saved as %s. To save a copy, write --name and another name after \"servers add\"", name)
}

// OtherSaved returns the error for a server if another version of it is already saved under name.
func OtherSaved(name string) error {
	return fmt.Errorf("another version of it is already saved as %s. To save this one beside it, write --name and another name after \"servers add\"", name)
}

// Note returns a note about a server as text, with the command that helps.
func Note(n launch.Note) string {
	text := wording.NoteText(n)
	if command := wording.NoteCommand(n); command != "" {
		text += " Run: " + command
	}
	return text
}
