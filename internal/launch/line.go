package launch

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
)

// Limits of a command line, in bytes and in servers.
const (
	maxLine     = 8 << 10
	maxCommands = 32
)

// longCommand describes a command that is too long.
const longCommand = "a command of 8 KiB"

// A shellLine collects what the lines before a server's program contain, and the servers.
type shellLine struct {
	sys      System
	env      []Variable
	dir      string
	commands []Server
	skipped  string   // the first command that only prepares
	installs string   // the last command that only prepares
	request  []string // the first server that curl sends a request to, with its headers
	other    error    // the problem of the first command that sets up something else
	left     leftOut
}

// line parses a command line, or several lines copied from a terminal.
func (s commands) line(text string) (Reading, error) {
	if len(text) > maxLine {
		return Reading{}, &Problem{Kind: TooLong, Subject: longCommand}
	}
	l := &shellLine{sys: s.System}
	file, err := s.parse(text)
	if err != nil {
		if path, ok := spacedPath(text, s.System); ok {
			return files(s).path(path, nil)
		}
		return Reading{}, err
	}
	for _, stmt := range file.Stmts {
		if len(l.commands) == maxCommands {
			break
		}
		if err := l.statement(stmt); err != nil {
			return Reading{}, err
		}
	}
	switch {
	case len(l.commands) > 0:
		r := Reading{Form: Line, Servers: l.commands}
		if len(l.commands) == 1 && l.commands[0].Origin.Source == Local && !strings.ContainsAny(text, " \t\n") {
			r.Form = Path
		}
		return r, l.left.note(&r, "this command")
	case l.other != nil:
		return Reading{}, l.other
	case l.request != nil:
		servers, err := s.command(l.request)
		return Reading{Form: Line, Servers: servers}, err
	case l.skipped != "":
		return Reading{}, commands{l.sys}.preparing(l.skipped)
	case len(l.env) > 0:
		return Reading{}, &Problem{Kind: NoServer, Subject: "This list of variables"}
	}
	return Reading{}, &Problem{Kind: Empty}
}

// parse parses shell syntax.
func (s commands) parse(text string) (*syntax.File, error) {
	joined := commandtext.Bash(text, s.Windows)
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(hideRefs(joined)), "")
	var wrong syntax.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, &Problem{Kind: BadSyntax, Subject: "this command", Detail: wrong.Text, Line: severalLines(joined, int(wrong.Pos.Line()))}
	case err != nil:
		return nil, &Problem{Kind: BadSyntax, Subject: "this command", Detail: err.Error()}
	}
	return file, nil
}

// severalLines returns n, or 0 if the text has only one line.
func severalLines(text string, n int) int {
	if !strings.Contains(text, "\n") {
		return 0
	}
	return n
}

// spacedPath returns a path that is not valid shell syntax, such as one with an apostrophe.
func spacedPath(text string, s System) (string, bool) {
	if strings.Contains(text, "\n") || !scriptLike(text) {
		return "", false
	}
	return s.absolute(text), true
}

// statement handles one statement. It skips a statement that only prepares, such as the installation of
// a package.
func (l *shellLine) statement(stmt *syntax.Stmt) error {
	if words := preparingWords(stmt); len(words) > 0 && (len(stmt.Redirs) > 0 || piped(stmt)) {
		if piped(stmt) && !readsOnly(stmt.Cmd.(*syntax.BinaryCmd).Y) {
			l.other = cmp.Or(l.other, error(&Problem{Kind: NeedsShell, Subject: "|"}))
			return nil
		}
		l.skip(words) // a pipe or a redirection after it belongs to the preparation
		return nil
	}
	if stmt.Background || stmt.Coprocess {
		return &Problem{Kind: NeedsShell, Subject: "&"}
	}
	for _, r := range stmt.Redirs {
		return &Problem{Kind: NeedsShell, Subject: r.Op.String()}
	}
	switch c := stmt.Cmd.(type) {
	case nil:
		return nil
	case *syntax.DeclClause:
		return l.assign(c.Args)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return &Problem{Kind: NeedsShell, Subject: "|"}
		}
		if err := l.statement(c.X); err != nil {
			return err
		}
		return l.statement(c.Y)
	case *syntax.CallExpr:
		return l.call(c)
	}
	return &Problem{Kind: NeedsShell, Subject: "a script of several commands"}
}

// piped reports whether a statement is a pipeline.
func piped(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.BinaryCmd)
	return ok && (c.Op == syntax.Pipe || c.Op == syntax.PipeAll)
}

// readsOnly reports whether the last command of a pipeline is a shell, or starts no server. A server
// that is tested with echo '{"jsonrpc": …}' | npx X would read the input from the pipe.
func readsOnly(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return true
	}
	return len(preparingWords(stmt)) > 0 || slices.Contains(readers, commandtext.ProgramName(c.Args[0].Lit()))
}

// readers are programs that start no server at the end of a pipe.
var readers = strings.Fields("sh bash zsh fish dash iex sudo python python3 node jq less more sort head tail tee xargs base64 pbcopy clip")

// preparingWords returns the words of the first command of a statement if that command only prepares.
func preparingWords(stmt *syntax.Stmt) []string {
	if piped(stmt) {
		return preparingWords(stmt.Cmd.(*syntax.BinaryCmd).X)
	}
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return nil
	}
	var words []string
	for _, w := range c.Args {
		words = append(words, cmp.Or(w.Lit(), "…"))
	}
	if commandtext.IsOfShell(words[0]) || commandtext.Prepares(words) {
		return words
	}
	return nil
}

// call handles a simple command.
func (l *shellLine) call(c *syntax.CallExpr) error {
	before := len(l.env)
	if err := l.assign(c.Assigns); err != nil {
		return err
	}
	var words []string
	for _, w := range c.Args {
		word, err := l.word(w, assigned.MatchString(cmp.Or(literal(w.Parts[0]), "-")))
		if err != nil {
			return err
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return nil // the variables apply to the following lines
	}
	if words[0] == "cd" || words[0] == "pushd" {
		if len(words) > 1 {
			l.dir = l.sys.absoluteIn(l.dir, words[1])
		}
		return nil
	}
	if commandtext.IsOfShell(words[0]) || commandtext.Prepares(words) {
		if request, ok := commandtext.Request(words); ok && l.request == nil {
			l.request = request
		}
		l.skip(words)
		return nil
	}
	in := l.sys
	if l.dir != "" {
		in.Dir = l.dir
	}
	servers, err := l.started(commands{in}, words)
	if err != nil || len(servers) == 0 {
		return err
	}
	for i := range servers {
		servers[i].Env = merged(l.env, servers[i].Env)
		if l.dir != "" && servers[i].Dir == "" && servers[i].Command != "" && servers[i].Origin.Source != Local {
			servers[i].Dir = l.dir
		}
	}
	l.commands = append(l.commands, servers...)
	l.env = l.env[:before] // variables set before a command apply to it only
	return nil
}

// started returns the servers that a command starts. There are none if the command sets up another
// program. There are also none if its program is not on this computer and an earlier command's is,
// because READMEs list alternatives one below the other.
func (l *shellLine) started(in commands, words []string) ([]Server, error) {
	servers, err := in.command(words)
	var p *Problem
	if !errors.As(err, &p) {
		return servers, err
	}
	switch {
	case p.Kind == Configures || p.Kind == StartsNothing:
		if l.other == nil {
			l.other = err
		}
		return nil, nil
	case p.Kind == Installs: // after a Windows shell
		l.skip(words)
		return nil, nil
	case p.Kind == NoProgram:
		if runner, ok := in.runsInstalled(l.installs, p.Subject, words); ok {
			return in.command(runner)
		}
		if commandtext.Installs(strings.Fields(l.installs)) {
			p.Detail = l.installs
		}
		if len(l.commands) > 0 {
			l.left.add(words[0], err)
			return nil, nil
		}
	}
	return nil, err
}

func (l *shellLine) skip(words []string) {
	l.installs = strings.Join(words, " ")
	if l.skipped == "" {
		l.skipped = l.installs
	}
}

// assigned matches the start of a word that assigns a variable.
var assigned = lazyregexp.New(`^[A-Za-z_]\w*=`)

// literal returns the text of a literal part of a word, or "" for other parts.
func literal(p syntax.WordPart) string {
	if lit, ok := p.(*syntax.Lit); ok {
		return lit.Value
	}
	return ""
}

// word expands a word as a shell does, but runs no commands. A variable whose value a command would
// print becomes a placeholder, so that the user is asked for it.
func (l *shellLine) word(w *syntax.Word, variable bool) (string, error) {
	var refused error
	config := &expand.Config{
		Env: expand.FuncEnviron(func(name string) string {
			value, ok := l.sys.env(name)
			if !ok && name != "IFS" {
				return "${" + name + "}" // the user is asked for it
			}
			return value
		}),
		CmdSubst: func(out io.Writer, c *syntax.CmdSubst) error {
			if len(c.Stmts) == 1 {
				if call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) == 1 && call.Args[0].Lit() == "pwd" {
					_, err := io.WriteString(out, l.sys.absoluteIn(l.dir, "."))
					return err
				}
			}
			if variable {
				var text strings.Builder
				if err := syntax.NewPrinter().Print(&text, c); err != nil {
					return err
				}
				_, err := io.WriteString(out, "<"+strings.NewReplacer("<", "", ">", "").Replace(text.String())+">")
				return err
			}
			refused = &Problem{Kind: NeedsShell, Subject: "$(…)"}
			return refused
		},
		ProcSubst: func(*syntax.ProcSubst) (string, error) {
			refused = &Problem{Kind: NeedsShell, Subject: "<(…)"}
			return "", refused
		},
	}
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			lit.Value = commandtext.Unescape(lit.Value)
		}
	}
	value, err := expand.Literal(config, w)
	switch {
	case refused != nil:
		return "", refused
	case err != nil:
		return "", &Problem{Kind: BadSyntax, Subject: "this command", Detail: err.Error()}
	}
	return showRefs.Replace(value), nil
}

// absoluteIn returns the absolute form of a path that is relative to dir. If dir is empty, it uses the
// working directory of the system.
func (s System) absoluteIn(dir, path string) string {
	path = s.expanded(path)
	if dir != "" && !filepath.IsAbs(path) {
		return filepath.Join(dir, path)
	}
	return s.absolute(path)
}
