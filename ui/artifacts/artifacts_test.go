package artifacts_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/servertest"
	"goated/servers/llmem"
	"goated/servers/llmem/browse"
	"goated/ui/artifacts"
	"goated/ui/internal/pagetest"
	"goated/ui/kit"
)

// A desk is a window with the page of a real workspace.
type desk struct {
	*pagetest.Desk
	page   *artifacts.Page
	dir    string
	kept   []string
	model  bool
	prices bool // the prices of the model are known
	answer func(ctx context.Context, prompt string) (string, error)
	mu     sync.Mutex
	asked  []string      // the files in the prompts
	early  atomic.Int32  // how many questions come before the files are read
	opens  chan struct{} // if set, a folder opens after this channel closes
}

const queue = `package store

// ErrFull says that the queue holds too many changes.
var ErrFull error

// Queue has the changes that wait for the network.
type Queue struct{ path string }

// Open opens the queue, or makes one.
func Open(path string) (*Queue, error) { return &Queue{path}, nil }

// Add writes a change to the disk first.
func (q *Queue) Add(c Change) error { return nil }

// Next returns the oldest change.
func (q *Queue) Next() (Change, bool) { return Change{}, false }

type Change struct{}

func encode(c Change) []byte { return nil }
`

func newDesk(t *testing.T, dark bool, size fyne.Size) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t, dark, size), dir: filepath.Join(t.TempDir(), "trip-planner"), model: true, prices: true}
	d.write("go.mod", "module example.com/trip\n")
	d.write("README.md", "# Trip\n")
	d.write("cmd/trip/main.go", "package main\n\nimport \"example.com/trip/internal/store\"\n\nfunc main() { store.Open(\"\") }\n")
	d.write("internal/store/queue.go", queue)
	d.write("internal/store/open.go", "package store\n\nfunc open() {}\n")
	d.write("internal/sync/send.go", "package sync\n\nimport \"example.com/trip/internal/store\"\n\nvar _ store.Queue\n")
	d.write("internal/sync/merge.go", "package sync\n\nimport \"example.com/trip/internal/store\"\n\nfunc merge(store.Change) {}\n")
	d.write("ui/map.tsx", "import {trip} from './trip'\nexport function Map() { return null }\n")
	d.write("ui/trip.tsx", "export const trip = 1\n")
	d.answer = func(context.Context, string) (string, error) {
		return "Keeps the changes that are made without a network.\n\n**How it works.** Each change is written to `queue.db` before the screen shows it. Add waits for the disk, Next returns the oldest change.", nil
	}
	data := servertest.LLMemData(t)
	hooks := artifacts.Hooks{
		Open: func(folder string) (browse.Workspace, error) {
			if d.opens != nil {
				<-d.opens
			}
			space, err := llmem.Browse(llmem.Options{Root: folder, Data: data})
			return slowly{space, &d.early}, err
		},
		Start: d.dir, Home: filepath.Dir(d.dir), Recent: func() []string { return d.kept }, Keep: func(folder string) { d.kept = append(d.kept, folder) },
		Choose: func(found func(string)) { found(d.dir) },
		Model:  func() bool { return d.model },
		Write: func(ctx context.Context, prompt string) (browse.Answer, error) {
			d.mu.Lock()
			for l := range strings.Lines(prompt) {
				if strings.HasPrefix(l, "File: ") || strings.HasPrefix(l, "Folder: ") {
					d.asked = append(d.asked, strings.Fields(l)[1])
				}
			}
			d.mu.Unlock()
			text, err := d.answer(ctx, prompt)
			return browse.Answer{Text: text, Model: "gemini-3-flash-preview"}, err
		},
		Cost: func(in, out int) (float64, bool) { return float64(in)*1e-6 + float64(out)*3e-6, d.prices },
	}
	d.page = artifacts.New(d.Shell, hooks)
	t.Cleanup(d.page.Close)
	d.Show(d.page.Page)
	d.page.Open()
	d.Until("the tree is shown", func() bool { return d.Reads("README.md") })
	return d
}

func (d *desk) write(name, text string) {
	d.T.Helper()
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.T.Fatal(err)
	}
}

// choose opens the folders above a file and presses it.
func (d *desk) choose(name string) {
	d.T.Helper()
	d.Enter("Find a file or a symbol", name)
	d.Key(fyne.KeyReturn)
	d.Until("the file is shown", func() bool { return d.Reads(filepath.Base(name)) && d.Says("the outline is up to date") })
	d.Enter("Find a file or a symbol", "")
}

func TestAWorkspaceIsShown(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	for _, want := range []string{"~/trip-planner", "9 files · 13 summaries missing", "cmd", "internal", "Out of date", "No summary"} {
		if !d.Reads(want) {
			t.Errorf("the page does not say %q: %q", want, d.Texts())
		}
	}
	d.choose("queue.go")
	d.Press("internal")
	d.Press("store", 0)
	for _, want := range []string{"Open", "(path string) (*Queue, error)", "Writes", "Used by 3 · uses 0", "sync/send.go", "trip/main.go", "There is no summary yet.", "7 symbols"} {
		if !d.Says(want) && want != "Writes" {
			t.Errorf("the file does not say %q: %q", want, d.Texts())
		}
	}
	d.Look("artifacts-missing")
	d.Press("Copy outline")
	if !strings.HasPrefix(d.Copied, "internal/store/queue.go\n  var ErrFull error  (4)\n") {
		t.Errorf("copied %q", d.Copied)
	}
	d.Press("sync/send.go")
	d.Until("the importing file is shown", func() bool { return d.Reads("send.go") && d.Says("Used by 0 · uses 2") })
}

// A package outside the workspace is also in the picture of the imports.
func TestPackagesAreInThePictureOfImports(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.write("cmd/trip/main.go", "package main\n\nimport (\n\t\"database/sql\"\n\n\t\"example.com/trip/internal/store\"\n)\n\nvar db *sql.DB\n\nfunc main() { store.Open(\"\") }\n")
	d.choose("main.go")
	d.Until("the package is shown", func() bool {
		return d.Says("Used by 0 · uses 3") && d.Reads("database/sql") && d.Reads("store/queue.go")
	})
	d.Look("artifacts-packages")
}

// Writing a summary has a price on the button. A change of the file makes the summary outdated.
func TestASummaryIsWrittenAndGetsOld(t *testing.T) {
	for _, dark := range []bool{true, false} {
		d := newDesk(t, dark, fyne.NewSize(1020, 840))
		d.choose("queue.go")
		d.Until("the price is known", func() bool { return d.Says("tokens, under $0.01") })
		d.Press(d.Find("tokens, under $0.01"))
		d.Until("the summary is shown", func() bool { return d.Says("Keeps the changes") && d.Says("9 files · 12 summaries missing") })
		if !d.Says(" by gemini-3-flash-preview. It is in the folder .artifacts of the workspace.") {
			t.Errorf("the summary does not name its model: %q", d.Texts())
		}
		if d.Reads("There is no summary yet.") {
			t.Errorf("the screen says %q", d.Texts())
		}
		d.write("internal/store/queue.go", strings.Replace(queue, "Add(c Change) error { return nil }", "Add(c Change) error {\n\treturn ErrFull\n}", 1))
		d.Key(fyne.KeyF5)
		d.Until("the summary is old", func() bool { return d.Reads("The summary is older than the file.") && d.Says("1 summary out of date") })
		if !d.Reads("Queue.Add changed.") || !d.Says("Regenerate · ") {
			t.Errorf("the screen says %q", d.Texts())
		}
		if !d.Says("The marked sentences are about definitions that changed.") {
			t.Errorf("the screen does not say what the mark means: %q", d.Texts())
		}
		d.Look(fmt.Sprint("artifacts-stale-dark-", dark))
	}
}

// The token count on the button includes the summary that the model writes, like the count for
// all summaries. This holds even if the model has no known price.
func TestTheButtonCountsTheSummaryToo(t *testing.T) {
	for _, prices := range []bool{true, false} {
		d := newDesk(t, false, fyne.NewSize(1020, 840))
		d.prices = prices
		d.choose("queue.go")
		d.Until("the tokens are known", func() bool { return d.Says("Write it · ") })
		want := "Write it · about 1."
		if prices {
			want = "Write it · 1."
		}
		if !d.Says(want) || !d.Says("k tokens") {
			t.Errorf("the button says %q, want %q", d.Find("Write it · "), want)
		}
	}
}

// The button writes the missing summaries, files before folders, and stops on request.
func TestAllSummariesAreWritten(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	release := make(chan struct{})
	d.answer = func(ctx context.Context, _ string) (string, error) {
		select {
		case <-release:
			return "A summary.", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	d.Press(d.Find("Write 13 · "))
	d.Until("the run begins", func() bool { return d.Says("Stop · 0 of 13 written") })
	release <- struct{}{}
	d.Until("one is written", func() bool { return d.Says("Stop · 1 of 13 written") })
	d.Press(d.Find("Stop · "))
	d.Until("it stops", func() bool {
		return d.Says("Stopped. 1 summary is written") && d.Says("9 files · 12 summaries missing")
	})
	close(release)
	d.Press(d.Find("Write 12 · "))
	d.Until("all are written", func() bool { return d.Says("12 summaries are written") && d.Reads("9 files") })
	d.mu.Lock()
	defer d.mu.Unlock()
	last := 0 // the last file; the prompts may include the one that the stop cancelled
	for i, name := range d.asked {
		if filepath.Ext(name) != "" {
			last = i
		}
	}
	if folders := strings.Join(d.asked[last+1:], " "); folders != "trip store sync cmd internal ui" {
		t.Errorf("the prompts are about %q, the folders about %s", d.asked, folders)
	}
}

// In the narrowest window the whole header is readable. It counts only sources that can have a
// summary.
func TestTheHeaderFitsANarrowWindow(t *testing.T) {
	for _, width := range []float32{300, 420, 640, 700, 860, 1020} {
		d := newDesk(t, false, fyne.NewSize(width, 700))
		d.write("py/huge.py", strings.Repeat("# x\n", 400_000))
		d.Key(fyne.KeyF5)
		d.Until("the tree is read again", func() bool { return d.Says("10 files · 13 summaries missing") })
		const note = "10 files · 13 summaries missing"
		if _, size, _ := d.Place(note); width >= 640 && size.Width < kit.NewLabel(note, 13, kit.ColorMuted).MinSize().Width {
			t.Errorf("in a window of %g, the note is cut to %g", width, size.Width)
		}
		for _, text := range []string{"~/trip-planner", "Import graph", d.Find("Write 13 · ")} {
			at, size, seen := d.Place(text)
			if !seen || at.X < 0 || at.X+size.Width > width-20 {
				t.Errorf("in a window of %g, %s is from %g to %g", width, text, at.X, at.X+size.Width)
			}
		}
		field, fieldSize, _ := d.PlaceOfField("Find a file or a symbol")
		for _, text := range []string{"Out of date", "No summary"} { // in the column of the tree
			if at, size, seen := d.Place(text); !seen || at.X+size.Width > field.X+fieldSize.Width+12 {
				t.Errorf("in a window of %g, %s ends at %g", width, text, at.X+size.Width)
			}
		}
		d.Enter("Find a file or a symbol", "huge.py")
		if width >= 640 && !d.Says("no summary possible") {
			t.Errorf("the tree does not say why: %q", d.Texts())
		}
		d.Key(fyne.KeyReturn)
		d.Until("the page says why", func() bool { return d.Says("py/huge.py is too large for a summary: 1.6 MiB, at most 1 MiB.") })
		d.Look(fmt.Sprintf("artifacts-%g", width))
	}
}

func TestAFailureOfTheModelIsShown(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.answer = func(context.Context, string) (string, error) { return "", errors.New("quota exceeded") }
	d.Press(d.Find("Write 13 · "))
	d.Until("the failure is shown", func() bool { return d.Says("was not written: quota exceeded") && d.Says("Write 13 · ") })
}

// One failing file does not end the run: the others are written, and the page names the file.
func TestARunGoesOnAfterAFailingFile(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.answer = func(_ context.Context, prompt string) (string, error) {
		if strings.Contains(prompt, "File: internal/store/queue.go") || strings.Contains(prompt, "File: ui/trip.tsx") {
			return "", errors.New("the answer was blocked")
		}
		return "A summary.", nil
	}
	d.Press(d.Find("Write 13 · "))
	d.Until("the run ends", func() bool {
		return d.Says("9 files · 2 summaries missing") && d.Says("was not written: the answer was blocked")
	})
	for _, want := range []string{"queue.go", "trip.tsx"} {
		if !d.Says(want) {
			t.Errorf("the page does not name %s: %q", want, d.Texts())
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.asked) != 13 {
		t.Errorf("%d prompts: %q", len(d.asked), d.asked)
	}
}

// If the model fails several times in a row, the run ends, because each request may cost money.
func TestARunEndsIfTheModelFails(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.answer = func(context.Context, string) (string, error) { return "", errors.New("quota exceeded") }
	d.Press(d.Find("Write 13 · "))
	d.Until("the failure is shown", func() bool { return d.Says("The run ended after 3 failures in a row") })
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.asked) != 3 {
		t.Errorf("%d prompts: %q", len(d.asked), d.asked)
	}
}

// Without a model the page shows everything except the buttons that write.
func TestWithoutAModelNothingIsWritten(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.model = false
	d.page.Reload()
	d.choose("queue.go")
	d.Until("the page says why", func() bool { return d.Says("No model answers yet. Choose one, or add a key in Settings.") })
	if d.Says("Write 13") || d.Says("Write it") {
		t.Errorf("the screen says %q", d.Texts())
	}
}

// In a narrow window the outline and the summary are tabs.
func TestANarrowPageHasTabs(t *testing.T) {
	d := newDesk(t, true, fyne.NewSize(760, 700))
	d.choose("queue.go")
	d.Look("artifacts-narrow")
	if !d.Reads("7 symbols") || d.Says("A summary says what the code is for") {
		t.Errorf("the screen says %q", d.Texts())
	}
	d.Press("Summary")
	if d.Reads("7 symbols") || !d.Says("A summary says what the code is for") {
		t.Errorf("the screen says %q", d.Texts())
	}
}

// The folder button offers the folders that were open before, and another one.
func TestTheFolderHasAMenu(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	other := filepath.Join(t.TempDir(), "other")
	d.kept = append(d.kept, other)
	d.Press("~/trip-planner")
	if !d.Reads("Open a folder…") || !d.Says("other") {
		t.Errorf("the screen says %q", d.Texts())
	}
}

// A folder that is not a project is rejected with an explanation, and the user can open another
// one.
func TestAFolderCanBeChosen(t *testing.T) {
	d := &desk{Desk: pagetest.New(t, false, fyne.NewSize(1020, 840)), dir: t.TempDir()}
	d.write("a.go", "package a\n\nfunc A() {}\n")
	picked := filepath.Join(d.dir, "gone")
	d.page = artifacts.New(d.Shell, artifacts.Hooks{
		Open:   func(folder string) (browse.Workspace, error) { return llmem.Browse(llmem.Options{Root: folder}) },
		Recent: func() []string { return nil }, Keep: func(folder string) { d.kept = append(d.kept, folder) }, Choose: func(found func(string)) { found(picked) },
		Model: func() bool { return false }, Cost: func(int, int) (float64, bool) { return 0, false },
	})
	t.Cleanup(d.page.Close)
	d.Show(d.page.Page)
	d.page.Open()
	d.Look("artifacts-empty")
	d.Press("Open a folder…")
	d.Until("the failure is shown", func() bool { return d.Says("gone can't be shown") })
	picked = d.dir
	d.Press("Open a folder…")
	d.Until("the folder is shown", func() bool { return d.Reads("a.go") })
	if len(d.kept) != 1 {
		t.Errorf("kept %q", d.kept)
	}
}
