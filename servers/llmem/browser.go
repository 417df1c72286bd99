package llmem

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/browse"
	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/prompt"
	"goated/servers/llmem/rank"
	"goated/servers/llmem/workspace"
)

// A browser provides a workspace to a program without using the protocol.
type browser struct{ *server }

// Browse opens a workspace for a program that displays it. It uses the same artifacts as the
// server, possibly at the same time.
func Browse(o Options) (browse.Workspace, error) {
	b := browser{newServer(o)}
	if _, err := b.open(); err != nil {
		var f *failure
		if errors.As(err, &f) {
			return nil, errors.New(f.text + ". Choose the folder of a project")
		}
		return nil, err
	}
	return b, nil
}

// Browser returns a function that opens workspaces, with its caches in data.
func Browser(data string) func(folder string) (browse.Workspace, error) {
	return func(folder string) (browse.Workspace, error) {
		return Browse(Options{Root: folder, Data: data, Log: io.Discard})
	}
}

func (b browser) Root() string { return b.o.Root }

func (b browser) Close() { b.stop() }

// with calls f with the open workspace.
func (b browser) with(f func(*call) error) error {
	b.using.RLock()
	defer b.using.RUnlock()
	e, err := b.open()
	if err != nil {
		return err
	}
	return f(&call{engine: e, progress: func(string, int, int) {}})
}

func (b browser) Tree(ctx context.Context) (t browse.Tree, err error) {
	err = b.with(func(c *call) error {
		files, more, err := c.ws.Files(ctx)
		if err != nil {
			return err
		}
		records, err := c.artifacts.Records(ctx)
		if err != nil {
			return err
		}
		now := c.state()
		now.files, now.listed = files, true
		t = treeOf(files, records, func(r artifact.Record) bool { return now.stale(ctx, r) }, c.unfit(files))
		t.More = more
		return nil
	})
	return t, err
}

// treeOf builds the tree of a workspace. Folders without sources have no summaries, and neither do
// unfit sources.
func treeOf(files []workspace.Entry, records []artifact.Record, stale func(artifact.Record) bool, unfit map[workspace.Entry]bool) browse.Tree {
	summaries := make(map[string]artifact.Record)
	for _, r := range records {
		if r.Type == prompt.Summarize {
			summaries[r.SourcePath] = r
		}
	}
	no := make(map[string]bool) // files that cannot have a summary
	own := func(n *browse.Node) {
		r, ok := summaries[n.Path]
		switch {
		case no[n.Path]:
		case ok && stale(r):
			n.Own = browse.Outdated
		case !ok && n.Source:
			n.Own = browse.Missing
		}
		n.State = n.Own
	}
	t := browse.Tree{Files: len(files)}
	folders := make(map[string]*browse.Node)
	var nodes []*browse.Node
	for _, f := range files {
		n := &browse.Node{Path: f.Path, Size: f.Size, Source: outline.Language(f.Path, nil) != ""}
		if unfit[f] {
			no[f.Path] = true
			n.Source, n.Unfit = false, n.Source
		}
		nodes = append(nodes, n)
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if folders[dir] == nil {
				folders[dir] = &browse.Node{Path: dir, Folder: true}
				nodes = append(nodes, folders[dir])
			}
			folders[dir].Source = folders[dir].Source || n.Source
		}
	}
	for _, n := range nodes {
		own(n)
	}
	for _, n := range nodes {
		for dir := path.Dir(n.Path); dir != "."; dir = path.Dir(dir) {
			folders[dir].State = max(folders[dir].State, n.Own)
		}
	}
	// A folder comes before its content, and folders come before files.
	slices.SortFunc(nodes, func(a, b *browse.Node) int { return comparePaths(a, b) })
	var late []browse.Node // folders, deepest first
	for _, n := range nodes {
		t.Nodes = append(t.Nodes, *n)
		if n.Folder {
			late = append(late, *n)
		} else {
			note(&t, *n)
		}
	}
	slices.SortStableFunc(late, func(a, b browse.Node) int { return strings.Count(b.Path, "/") - strings.Count(a.Path, "/") })
	for _, n := range late {
		note(&t, n)
	}
	return t
}

// note adds a node to the list of missing or outdated summaries.
func note(t *browse.Tree, n browse.Node) {
	switch n.Own {
	case browse.Outdated:
		t.Outdated = append(t.Outdated, n.Path)
	case browse.Missing:
		t.Missing = append(t.Missing, n.Path)
	}
}

// comparePaths orders nodes like a file manager.
func comparePaths(a, b *browse.Node) int {
	x, y := strings.Split(a.Path, "/"), strings.Split(b.Path, "/")
	for i := range min(len(x), len(y)) {
		folderX, folderY := a.Folder || i < len(x)-1, b.Folder || i < len(y)-1
		switch {
		case x[i] == y[i] && folderX == folderY:
			continue
		case folderX != folderY && folderX:
			return -1
		case folderX != folderY:
			return 1
		}
		if d := strings.Compare(strings.ToLower(x[i]), strings.ToLower(y[i])); d != 0 {
			return d
		}
		return strings.Compare(x[i], y[i])
	}
	return len(x) - len(y)
}

func (b browser) File(ctx context.Context, name string) (f browse.File, err error) {
	err = b.with(func(c *call) error {
		src, err := c.read(ctx, name)
		if err != nil {
			return err
		}
		f = browse.File{Path: src.path, Folder: src.folder, Modified: time.Unix(0, src.mtime), NoOutline: src.why}
		records, err := c.artifacts.Records(ctx)
		if err != nil {
			return err
		}
		changed := make(map[string]bool)
		for _, r := range records {
			if r.SourcePath != src.path || r.Type != prompt.Summarize {
				continue
			}
			if err := c.hashFolder(ctx, src); err != nil {
				return err
			}
			data, err := c.artifacts.Content(r)
			if errors.Is(err, artifact.ErrNotFound) {
				continue // deleted by hand
			}
			if err != nil {
				return err
			}
			f.Summary = &browse.Text{Content: string(data), Stale: r.SourceHash != src.hash, Written: r.UpdatedAt.Local(), Model: r.Model}
			if f.Summary.Stale {
				f.Summary.Content, f.Summary.Changed = withoutLines(string(data)), src.changedSymbols(r)
				for _, name := range f.Summary.Changed {
					changed[name] = true
				}
			}
		}
		if src.folder {
			return nil
		}
		f.Lines = outline.CountLines(src.data)
		if src.outline == nil {
			return nil
		}
		f.Language, f.Lines, f.Errors = src.outline.Language, src.outline.Lines, src.outline.Errors
		for _, y := range src.outline.Symbols {
			if y.Local {
				continue
			}
			f.Symbols = append(f.Symbols, browse.Symbol{Kind: y.Kind, Name: y.Name, Parent: y.Parent, Signature: y.Signature, Doc: y.Doc, Start: y.StartLine, End: y.EndLine, Changed: changed[qualified(y)]})
		}
		if _, err := c.status(ctx, index.Want{Paths: []string{src.path}, Wait: 2 * time.Second}); err != nil {
			return err
		}
		now, goMod := c.index.Snapshot(), c.goMod()
		f.Uses, f.UsedBy = c.graph.Neighbours(now, goMod, src.path)
		f.Packages = c.graph.Packages(now, goMod, src.path)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("the file is gone. Refresh the tree")
	}
	return f, withoutSummary(name, err)
}

func (b browser) Imports(ctx context.Context) (list browse.Imports, err error) {
	err = b.with(func(c *call) error {
		status, err := c.status(ctx, index.Want{Wait: 5 * time.Second})
		if err != nil {
			return err
		}
		list.Pending = status.Pending
		c.graph.Each(c.index.Snapshot(), c.goMod(), func(from string, to []string) {
			for _, t := range to {
				list.Links = append(list.Links, browse.Link{From: from, To: t})
			}
		})
		return nil
	})
	return list, err
}

func (b browser) Prompt(ctx context.Context, name string) (p browse.Prompt, err error) {
	err = b.with(func(c *call) error {
		src, err := c.read(ctx, name)
		if err != nil {
			return err
		}
		var e envelope
		if src.folder {
			e, err = c.folderPrompt(ctx, src.path, ticket{})
		} else {
			e, err = c.promptFor(src, prompt.Summarize, nil)
		}
		if err != nil {
			return err
		}
		t, _ := e.CallbackArgs["ticket"].(string)
		p = browse.Prompt{Path: src.path, Text: e.PromptForHostLLM, Tokens: rank.Tokens(e.PromptForHostLLM), Ticket: t}
		return nil
	})
	return p, withoutSummary(name, err)
}

func (b browser) Store(ctx context.Context, p browse.Prompt, a browse.Answer) error {
	return b.with(func(c *call) error {
		if strings.TrimSpace(a.Text) == "" {
			return errors.New("the model's answer is empty")
		}
		src, err := c.read(ctx, p.Path)
		if err != nil {
			return err
		}
		t, err := readTicket(p.Ticket)
		if err != nil {
			return err
		}
		r := src.describe(artifact.Record{Type: prompt.Summarize, Model: a.Model})
		// The summary describes the source in the prompt, even if the source has changed since then.
		r.SourceHash, r.SourceMtime, r.SourceSize, r.Symbols, r.PromptHash = t.Hash, t.Mtime, t.Size, t.Symbols, t.Prompt
		_, err = c.artifacts.Put(ctx, r, []byte(a.Text))
		return err
	})
}
