package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"goated/internal/ansi"
	"goated/internal/safetext"

	"golang.org/x/term"
)

// A terminal asks the user for lines. On a real terminal it has line editing
// and a history; otherwise it reads what is piped in.
type terminal struct {
	out    io.Writer
	editor *term.Terminal // nil where there is no terminal
	piped  *bufio.Reader
}

// ownMark begins goated's questions on a real terminal: a mark in reverse video, which
// no text of a server or a model can have.
const ownMark = "\x1b[7m?\x1b[0m "

// newTerminal reads stdin and writes what belongs to asking to out, which is
// never where answers go.
func newTerminal(out io.Writer) *terminal {
	t := &terminal{out: out}
	if !interactive() {
		t.piped = bufio.NewReader(os.Stdin)
		return t
	}
	t.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{&ansi.Pasted{From: os.Stdin}, bare(out)}, "")
	return t
}

// interactive reports whether goated can ask the user.
func interactive() bool { return term.IsTerminal(int(os.Stdin.Fd())) }

// onTerminal reports whether what is written to w goes to a terminal.
func onTerminal(w io.Writer) bool {
	f, ok := bare(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// line reads a line. It is io.EOF at the end of the input, and on Ctrl+C and
// Ctrl+D. When ctx ends it returns; the read goes on until the program ends.
func (t *terminal) line(ctx context.Context, prompt string) (string, error) {
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := t.read(prompt)
		got <- answer{text, err}
	}()
	select {
	case a := <-got:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// hidden is line for text that the terminal does not show.
func (t *terminal) hidden(ctx context.Context, prompt string) (string, error) {
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := t.secret(margin + safetext.Mark(ansi.Strip(prompt)))
		got <- answer{text, err}
	}()
	select {
	case a := <-got:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (t *terminal) read(prompt string) (string, error) {
	if t.editor == nil {
		text, err := t.piped.ReadString('\n')
		if err != nil && text != "" {
			err = nil
		}
		return strings.TrimRight(text, "\r\n"), err
	}
	// Raw only while a line is edited, so that Ctrl+C stops a turn otherwise.
	old, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return "", fmt.Errorf("preparing the terminal: %w", err)
	}
	defer func() { _ = term.Restore(int(os.Stdin.Fd()), old) }()
	if width, height, err := term.GetSize(int(os.Stdin.Fd())); err == nil {
		_ = t.editor.SetSize(width, height)
	}
	prompt = safetext.Mark(ansi.Strip(prompt))
	if strings.TrimSpace(prompt) == "›" {
		return t.message(prompt)
	}
	t.editor.SetPrompt(ownMark + prompt) // a question
	return t.editor.ReadLine()
}

// message reads a message. Pasted lines belong to one message, which Enter sends: the
// terminal marks what is pasted, and [ansi.Pasted] shows its line breaks.
func (t *terminal) message(prompt string) (string, error) {
	t.editor.SetBracketedPasteMode(true)
	defer t.editor.SetBracketedPasteMode(false)
	t.editor.SetPrompt(prompt)
	text, err := t.editor.ReadLine()
	return strings.ReplaceAll(text, ansi.LineBreak, "\n"), err
}

// secret reads a line that is not shown.
func (t *terminal) secret(prompt string) (string, error) {
	if t.editor == nil {
		return t.read("")
	}
	fmt.Fprint(t.out, prompt)
	defer fmt.Fprintln(t.out)
	text, err := term.ReadPassword(int(os.Stdin.Fd()))
	return string(text), err
}
