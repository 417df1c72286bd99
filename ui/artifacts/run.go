package artifacts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/errtext"
	"goated/servers/llmem/browse"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// A run writes summaries one after the other.
type run struct {
	cancel    context.CancelFunc
	done, all int
	now       string // the path whose summary is being written
}

// todo returns the paths without a current summary, files before the folders that contain them.
func (p *Page) todo() []string {
	return append(slices.Clone(p.tree.Outdated), p.tree.Missing...)
}

// guess estimates the tokens of the prompts for paths.
func (p *Page) guess(paths []string) (tokens int) {
	want := make(map[string]bool, len(paths))
	for _, path := range paths {
		want[path] = true
	}
	for _, n := range p.tree.Nodes {
		if want[n.Path] {
			tokens += browse.PromptTokens(n)
		}
	}
	return tokens
}

// price describes the cost of n summaries whose prompts have the given number of tokens.
func (p *Page) price(tokens, n int) string {
	dollars, known := p.on.Cost(tokens, n*browse.SummaryTokens)
	switch {
	case !known:
		return fmt.Sprintf("about %s tokens", format.Short(tokens+n*browse.SummaryTokens))
	case dollars < 0.01:
		return "under $0.01"
	case dollars < 10:
		return fmt.Sprintf("about $%.2f", dollars)
	}
	return fmt.Sprintf("about $%.0f", dollars)
}

// start writes the summaries of paths. Folders come after their content.
func (p *Page) start(paths []string) {
	if p.run != nil || len(paths) == 0 || p.space == nil {
		return
	}
	paths = p.ordered(paths)
	ctx, cancel := context.WithCancel(p.shell.Ctx)
	r := &run{cancel: cancel, all: len(paths)}
	p.run = r
	space := p.space
	p.show()
	p.file.draw()
	p.shell.Go(func() {
		defer cancel()
		var failed failures
		for _, path := range paths {
			p.shell.Post(func() { r.now = path; p.progress(r) })
			err := p.write(ctx, space, path)
			if failed.note(path, err) {
				break
			}
			if err == nil {
				p.shell.Post(func() { r.done++; p.progress(r) })
			}
		}
		p.shell.Post(func() { p.ended(r, failed) })
	})
}

// failures are the summaries of a run that could not be written.
type failures struct {
	paths   []string
	first   error
	row     int  // the number of successive failures
	stopped bool // the user ended the run
}

// maxInRow is how many summaries in a row may fail. After that the model is probably the cause,
// and each further summary would cost a request.
const maxInRow = 3

// note records the result of a summary, and reports whether the run must end.
func (f *failures) note(path string, err error) (end bool) {
	switch {
	case err == nil:
		f.row = 0
		return false
	case errors.Is(err, context.Canceled):
		f.stopped = true
		return true
	}
	f.paths = append(f.paths, path)
	if f.first == nil {
		f.first = err
	}
	f.row++
	return f.row == maxInRow
}

// Error names the files. It gives the reason only for the first, because the others usually fail
// for the same reason.
func (f *failures) Error() string {
	text := fmt.Sprintf("the summary of %s was not written: %v", f.paths[0], f.first)
	switch others := f.paths[1:]; {
	case len(others) == 1:
		text += ". Neither was that of " + others[0]
	case len(others) > 5:
		text += fmt.Sprintf(". Neither were those of %d others, such as %s", len(others), others[0])
	case len(others) > 1:
		text += ". Neither were those of " + strings.Join(others, ", ")
	}
	if f.row == maxInRow {
		text += fmt.Sprintf(". The run ended after %d failures in a row", maxInRow)
	}
	return text
}

// ordered sorts paths: files first, then folders, deepest first.
func (p *Page) ordered(paths []string) []string {
	rank := make(map[string]int)
	for i, path := range p.todo() {
		rank[path] = i
	}
	folder := make(map[string]bool)
	for _, n := range p.tree.Nodes {
		folder[n.Path] = n.Folder
	}
	out := slices.Clone(paths)
	slices.SortStableFunc(out, func(a, b string) int {
		if folder[a] != folder[b] {
			if folder[b] {
				return -1
			}
			return 1
		}
		if folder[a] {
			return depth(b) - depth(a)
		}
		return rank[a] - rank[b]
	})
	return out
}

// write writes one summary, off the UI goroutine.
func (p *Page) write(ctx context.Context, space browse.Workspace, path string) error {
	prompt, err := space.Prompt(ctx, path)
	if err != nil {
		return err
	}
	answer, err := p.on.Write(ctx, prompt.Text)
	if err != nil {
		return err
	}
	return space.Store(ctx, prompt, answer)
}

// progress shows the progress of a run.
func (p *Page) progress(r *run) {
	if p.run == r {
		p.head.show()
		p.file.draw()
	}
}

// ended shows the result of a run.
func (p *Page) ended(r *run, failed failures) {
	if p.run == r {
		p.run = nil
	}
	switch {
	case failed.stopped:
		p.shell.Toasts.Say("stop", fmt.Sprintf("Stopped. %s", format.Plural(r.done, "%d summary is written", "%d summaries are written")))
	case len(failed.paths) > 0:
		p.shell.Alert(&failed)
	default:
		p.shell.Toasts.Say("check", format.Plural(r.done, "%d summary is written", "%d summaries are written"))
	}
	p.Reload()
}

// stop ends the run. It keeps the summaries that are already written.
func (p *Page) stop() {
	if p.run != nil {
		p.run.cancel()
	}
}

func depth(path string) (n int) {
	for i := range path {
		if path[i] == '/' {
			n++
		}
	}
	return n
}

// sentence returns an error as a sentence for the user.
func sentence(err error) string { return errtext.PlainSentence(err) }

// faint returns a pale text for the place below a part.
func faint(text string) *kit.Paragraph { return kit.NewText(text, 12, 18, kit.ColorMuted) }
