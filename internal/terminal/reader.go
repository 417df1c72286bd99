package terminal

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

// A Reader asks the user for lines. In a terminal it has line editing and a history. Otherwise it
// reads from stdin. It is safe for concurrent use, and reads one line at a time.
type Reader struct {
	Out    io.Writer
	editor *term.Terminal // nil if there is no terminal
	piped  *bufio.Reader
	begun  string // the beginning of a piped line that was given up
	in     *input
	turn   chan struct{} // holds a token while a line is read
}

// OwnMark begins goated's questions in a terminal. It is in reverse video, which the text of a
// server or a model cannot be.
const OwnMark = "\x1b[7m?\x1b[0m "

// NewReader reads from stdin. It writes its prompts to out, which must not be where answers go.
func NewReader(out io.Writer) *Reader {
	if !Interactive() {
		return newPiped(os.Stdin, out)
	}
	t := newReader(os.Stdin, out)
	t.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{&ansi.Pasted{From: t.in}, bare(out)}, "")
	return t
}

func newReader(from io.Reader, out io.Writer) *Reader {
	return &Reader{Out: out, in: &input{from: from, arrived: make(chan chunk, 1)}, turn: make(chan struct{}, 1)}
}

func newPiped(from io.Reader, out io.Writer) *Reader {
	t := newReader(from, out)
	t.piped = bufio.NewReader(t.in)
	return t
}

// Interactive reports whether goated can ask the user.
func Interactive() bool { return term.IsTerminal(int(os.Stdin.Fd())) }

// Is reports whether w writes to a terminal.
func Is(w io.Writer) bool {
	f, ok := bare(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Line reads a line. It returns io.EOF at the end of the input, and on Ctrl+C and Ctrl+D. When ctx
// ends, it returns the error of ctx, and the terminal is as before.
func (t *Reader) Line(ctx context.Context, prompt string) (string, error) {
	return t.within(ctx, func() (string, error) { return t.read(prompt) })
}

// hidden is like Line, but the terminal does not show the text.
func (t *Reader) hidden(ctx context.Context, prompt string) (string, error) {
	return t.Secret(ctx, margin+safetext.Mark(ansi.Strip(prompt)))
}

// within calls read when no other line is being read. The input ends with ctx.
func (t *Reader) within(ctx context.Context, read func() (string, error)) (string, error) {
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-t.turn }()
	t.in.ctx, t.in.erase = ctx, t.editor != nil
	return read()
}

func (t *Reader) read(prompt string) (string, error) {
	if t.editor == nil {
		text, err := t.piped.ReadString('\n')
		text, t.begun = t.begun+text, ""
		switch {
		case err != nil && t.in.ctx.Err() != nil:
			t.begun = text
			return "", err
		case err != nil && text != "":
			err = nil
		}
		return strings.TrimRight(text, "\r\n"), err
	}
	return t.raw(func() (string, error) {
		prompt = safetext.Mark(ansi.Strip(prompt))
		if strings.TrimSpace(prompt) == "›" {
			return t.message(prompt)
		}
		t.editor.SetPrompt(OwnMark + prompt) // a question
		return t.editor.ReadLine()
	})
}

// raw calls edit while the terminal is in raw mode. At other times Ctrl+C stops a turn.
func (t *Reader) raw(edit func() (string, error)) (string, error) {
	old, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return "", fmt.Errorf("preparing the terminal: %w", err)
	}
	defer func() {
		_ = term.Restore(int(os.Stdin.Fd()), old)
		if t.in.ctx.Err() != nil {
			fmt.Fprintln(bare(t.Out)) // what follows does not stand behind the question
		}
	}()
	if width, height, err := term.GetSize(int(os.Stdin.Fd())); err == nil && width > 0 { // a terminal of another program may have no size
		_ = t.editor.SetSize(width, height)
	}
	return edit()
}

// message reads a message. Pasted lines belong to one message, which Enter sends: the terminal
// marks pasted text, and [ansi.Pasted] keeps its line breaks.
func (t *Reader) message(prompt string) (string, error) {
	t.editor.SetBracketedPasteMode(true)
	defer t.editor.SetBracketedPasteMode(false)
	t.editor.SetPrompt(prompt)
	text, err := t.editor.ReadLine()
	return strings.ReplaceAll(text, ansi.LineBreak, "\n"), err
}

// Secret is like Line, but the terminal does not show the text.
func (t *Reader) Secret(ctx context.Context, prompt string) (string, error) {
	return t.within(ctx, func() (string, error) {
		if t.editor == nil {
			return t.read("")
		}
		return t.raw(func() (string, error) { return t.editor.ReadPassword(prompt) })
	})
}
