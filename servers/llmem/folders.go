package llmem

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/prompt"
)

// A chainEnd is the data after a chain's last prompt.
type chainEnd struct {
	Path      string          `json:"path"`
	Task      string          `json:"task"`
	Remaining []string        `json:"remaining" jsonschema:"folders without a current summary"`
	Stored    *storedArtifact `json:"stored,omitempty" jsonschema:"the result of the last step, as it is stored"`
}

// folderStep returns the prompt for the deepest folder below root that has no current summary, or
// the end of the chain.
func (c *call) folderStep(ctx context.Context, root string, focus []string, step, steps int) (envelope, error) {
	files, _, err := c.ws.Files(ctx)
	if err != nil {
		return envelope{}, err
	}
	todo, err := c.openFolders(ctx, root)
	if err != nil {
		return envelope{}, err
	}
	if len(sourcesIn(files, root)) == 0 {
		return envelope{}, noSources(root)
	}
	if step == 1 { // rewrite a current summary if it was requested
		if !slices.Contains(todo, root) {
			todo = append(todo, root)
		}
		steps = min(len(todo), c.o.MaxSteps)
	}
	c.step, c.steps = step, steps
	if len(todo) == 0 {
		return envelope{Status: statusSuccess, Data: &chainEnd{Path: root, Task: prompt.Summarize, Remaining: []string{}}}, nil
	}
	if step > steps {
		return envelope{Status: statusSuccess, Data: &chainEnd{Path: root, Task: prompt.Summarize, Remaining: todo},
			NextAction: fmt.Sprintf("%d folders have no current summary yet. Call generate_artifact for %s again to go on.", len(todo), root)}, nil
	}
	return c.folderPrompt(ctx, todo[0], ticket{Root: root, Focus: focus, Step: step, Steps: steps})
}

// noSources is the error for a folder that has no files to summarize.
func noSources(folder string) error {
	return &failure{codeNotFound, "not_found", base(folder) + " has no source files with an outline", "Use a folder with source files. Call map_workspace to see which there are."}
}

// openFolders returns the folders with sources below root that have no current summary, deepest
// first and root last.
func (c *call) openFolders(ctx context.Context, root string) ([]string, error) {
	files, _, err := c.ws.Files(ctx)
	if err != nil {
		return nil, err
	}
	records, err := c.artifacts.Records(ctx)
	if err != nil {
		return nil, err
	}
	current := make(map[string]string)
	for _, r := range records {
		if r.Folder && r.Type == prompt.Summarize {
			current[r.SourcePath] = r.SourceHash
		}
	}
	var folders []string
	seen := make(map[string]bool)
	for _, f := range sourcesIn(files, root) {
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			if !seen[dir] {
				seen[dir] = true
				folders = append(folders, dir)
			}
			if dir == root || dir == "." {
				break
			}
		}
	}
	depth := func(p string) int {
		if p == "." {
			return -1
		}
		return strings.Count(p, "/")
	}
	slices.SortFunc(folders, func(a, b string) int {
		if d := depth(b) - depth(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	now := c.state()
	var open []string
	for _, f := range folders {
		h, err := now.folder(ctx, f)
		if err != nil {
			return nil, err
		}
		if current[f] != h {
			open = append(open, f)
		}
	}
	return open, nil
}

// folderPrompt returns the prompt for one folder: the outlines and summaries of its files, and the
// summaries of its folders.
func (c *call) folderPrompt(ctx context.Context, folder string, t ticket) (envelope, error) {
	now := c.state()
	files, err := now.list(ctx)
	if err != nil {
		return envelope{}, err
	}
	sources := sourcesIn(files, folder)
	if t.Hash, err = now.folder(ctx, folder); err != nil {
		return envelope{}, err
	}
	f := prompt.Folder{Path: base(folder), FocusOn: t.Focus, Folders: make(map[string]string)}
	var paths []string
	for _, s := range sources {
		dir := path.Dir(s.Path)
		switch {
		case dir != folder:
			rel := strings.TrimPrefix(s.Path, folder+"/")
			head, _, _ := strings.Cut(rel, "/")
			f.Folders[path.Join(folder, head)] = ""
		case len(paths) == maxFolderFiles:
			f.More++
		default:
			paths = append(paths, s.Path)
		}
	}
	if _, err := c.status(ctx, index.Want{Paths: paths}); err != nil {
		return envelope{}, err
	}
	records, err := c.artifacts.Records(ctx)
	if err != nil {
		return envelope{}, err
	}
	summaries := c.summariesIn(ctx, now, records, folder)
	for _, p := range paths {
		file := prompt.File{Path: path.Base(p), Summary: summaries[p]}
		if e := c.index.Entry(p); e != nil && e.Problem == "" {
			file.Outline = &outline.File{Language: e.Language, Lines: e.Lines, Symbols: e.Symbols}
		}
		f.Files = append(f.Files, file)
	}
	for name := range f.Folders {
		f.Folders[name] = summaries[name]
	}
	if t.Steps == 0 {
		t.Step, t.Steps = 1, 1
	}
	c.step, c.steps = t.Step, t.Steps
	return promptEnvelope(folder, prompt.Summarize, prompt.ForFolder(f), t), nil
}

// summariesIn returns the summaries of the files and folders directly in a folder. It removes line
// numbers, because lines move.
func (c *call) summariesIn(ctx context.Context, now *state, records []artifact.Record, folder string) map[string]string {
	found := make(map[string]string)
	for _, r := range records {
		if r.Type != prompt.Summarize || path.Dir(r.SourcePath) != folder || r.SourcePath == folder {
			continue
		}
		data, err := c.artifacts.Content(r)
		switch {
		case err != nil: // deleted by the user
		case now.stale(ctx, r):
			found[r.SourcePath] = withoutLines(string(data))
		default:
			found[r.SourcePath] = withoutMentions(string(data))
		}
	}
	return found
}

// A storedArtifact is an artifact that was just stored.
type storedArtifact struct {
	ID           string    `json:"id"`
	SourcePath   string    `json:"sourcePath"`
	ArtifactPath string    `json:"artifactPath"`
	Type         string    `json:"type"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	Stale        bool      `json:"stale"`
}

func storeResult(ctx context.Context, c *call) (envelope, error) {
	var args struct{ Path, Task, Result, Ticket string }
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	if strings.TrimSpace(args.Task) == "" || artifact.CleanType(args.Task) == artifact.Mirror {
		return envelope{}, invalid("task is the name of what was generated, such as summarize")
	}
	if strings.TrimSpace(args.Result) == "" {
		return envelope{}, invalid("result is empty. Pass the model's answer")
	}
	src, err := c.read(ctx, args.Path)
	if err != nil {
		return envelope{}, err
	}
	if err := c.hashFolder(ctx, src); err != nil {
		return envelope{}, err
	}
	r := src.describe(artifact.Record{Type: args.Task})
	var t ticket
	if args.Ticket != "" {
		if t, err = readTicket(args.Ticket); err != nil {
			return envelope{}, err
		}
		// The result describes the source in the prompt, even if the source has changed since then.
		r.SourceHash, r.SourceMtime, r.SourceSize, r.Symbols, r.PromptHash, r.FocusOn = t.Hash, t.Mtime, t.Size, t.Symbols, t.Prompt, t.Focus
	}
	c.step, c.steps = t.Step, t.Steps
	if r, err = c.artifacts.Put(ctx, r, []byte(args.Result)); err != nil {
		return envelope{}, err
	}
	record := storedArtifact{r.ID, r.SourcePath, r.ArtifactPath, r.Type, r.CreatedAt, r.UpdatedAt, r.SourceHash != src.hash}
	if t.Root == "" || t.Step < 1 || t.Step >= t.Steps || t.Steps > c.o.MaxSteps {
		e := envelope{Status: statusSuccess, Data: record}
		if t.Root != "" {
			if todo, err := c.openFolders(ctx, t.Root); err == nil && len(todo) > 0 {
				e.NextAction = fmt.Sprintf("%d folders have no current summary yet. Call generate_artifact for %s with task summarize again to go on.", len(todo), t.Root)
			}
		}
		return e, nil
	}
	root, err := c.ws.Clean(t.Root)
	if err != nil {
		return envelope{}, err
	}
	next, err := c.folderStep(ctx, root, t.Focus, t.Step+1, t.Steps)
	if err != nil {
		return envelope{}, err
	}
	switch data := next.Data.(type) {
	case *promptAnswer:
		data.Stored = &record
	case *chainEnd:
		data.Stored = &record
	}
	return next, nil
}
