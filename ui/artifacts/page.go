// Package artifacts is the page that shows what LLMem stores about a workspace (seed 001): the
// tree, the outlines, the summaries and the imports. It writes summaries with the user's model,
// after it has shown the cost.
//
// It owns the page and the run that writes summaries. It must not depend on how a workspace is
// read, which model answers, or other pages. [Hooks] contains what it needs from the window.
// Everything in it belongs to the UI goroutine, except where a comment says otherwise.
package artifacts

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/servers/llmem/browse"
	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// Hooks are the functions of the window that the page calls, and the values that it needs.
type Hooks struct {
	Open   func(folder string) (browse.Workspace, error)                   // opens a workspace; runs off the UI goroutine
	Start  string                                                          // the folder of the first workspace; empty: none
	Recent func() []string                                                 // returns the folders that were open before, newest first
	Keep   func(folder string)                                             // runs when the user opens a folder
	Choose func(found func(folder string))                                 // lets the user choose a folder
	Home   string                                                          // is shown as ~; empty: unknown
	Model  func() bool                                                     // reports whether a model can write summaries
	Write  func(ctx context.Context, prompt string) (browse.Answer, error) // runs a prompt; called off the UI goroutine
	Cost   func(input, output int) (dollars float64, known bool)           // returns the cost of a run of the model
}

// A Page is the page of the artifacts. It shows one workspace at a time.
type Page struct {
	Page  *shell.Page
	shell *shell.Shell
	on    Hooks

	space  browse.Workspace // nil until a folder is open
	tree   browse.Tree
	loads  int  // the number of reads that have begun; only the latest counts
	opens  bool // a folder is being opened, which reads it
	list   *tree
	file   *fileView
	graph  *importGraph
	head   *header
	run    *run // nil unless summaries are being written
	empty  *emptyNote
	opened bool
}

// New returns the page. The page reads nothing before it opens.
func New(sh *shell.Shell, on Hooks) *Page {
	p := &Page{shell: sh, on: on}
	p.graph = newImportGraph(p)
	p.list, p.file, p.empty = newTree(p), newFileView(p), newEmptyNote(p)
	p.head = newHeader(p)
	body := container.New(layout{p}, p.list.root, kit.Sized(1, 1, kit.NewPanel(kit.ColorBorder, kit.ColorNone, 0)), p.file.root, p.empty.root)
	p.Page = &shell.Page{
		Title: "Artifacts", Note: p.head.note, Actions: p.head.actions, Body: body, First: p.list.List,
		OnFind: func() { kit.Focus(p.list.find) }, OnKey: p.key,
	}
	return p
}

// Open shows the page. It reads an open workspace again, to show the latest changes.
func (p *Page) Open() {
	p.shell.Main.Open(p.Page)
	switch {
	case p.space != nil:
		p.Reload()
	case !p.opened && p.on.Start != "":
		p.opened = true
		p.choose(p.on.Start, false)
	default:
		p.show()
	}
}

// Close ends the work on the workspace. Call it once, when the window closes.
func (p *Page) Close() {
	if p.space != nil {
		p.space.Close()
	}
}

// choose opens a folder. If keep is true, the window remembers it.
func (p *Page) choose(folder string, keep bool) {
	p.stop()
	p.loads++
	n := p.loads
	p.opens = true
	p.empty.wait("Opening " + p.short(folder))
	p.work().Run(func() func() {
		space, err := p.on.Open(folder)
		return func() {
			switch {
			case n != p.loads || p.shell.Ctx.Err() != nil:
				if err == nil {
					p.shell.Go(space.Close)
				}
			case err != nil:
				p.opens = false
				p.empty.fail(p.short(folder), err)
				p.show()
				p.Reload() // the run that choose stopped has written summaries
			default:
				p.opens = false
				if old := p.space; old != nil {
					p.shell.Go(old.Close)
				}
				p.space, p.tree = space, browse.Tree{}
				p.list.reset()
				p.graph.close()
				p.file.clear()
				if keep {
					p.on.Keep(folder)
				}
				p.Reload()
			}
		}
	})
}

// Reload reads the tree and the shown file again. It does nothing while a folder is being opened,
// because that reads them anyway.
func (p *Page) Reload() {
	if p.space == nil || p.opens {
		return
	}
	p.loads++
	n, space := p.loads, p.space
	p.show()
	p.work().Run(func() func() {
		t, err := space.Tree(p.shell.Ctx)
		return func() {
			if n != p.loads || p.space != space {
				return
			}
			if err != nil {
				p.shell.Alert(fmt.Errorf("reading %s: %w", p.short(space.Root()), err))
				return
			}
			p.tree = t
			p.empty.clear()
			p.list.show(t)
			p.show()
			p.file.reload()
			p.graph.load()
		}
	})
}

// show updates everything that depends on the state of the page.
func (p *Page) show() {
	p.head.show()
	p.empty.show()
	body := p.Page.Body.(*fyne.Container)
	body.Layout.Layout(body.Objects, body.Size())
	body.Refresh()
}

func (p *Page) work() kit.Runner { return kit.Runner{Begin: p.shell.Go, Post: p.shell.Post} }

// short returns a folder with ~ for the home folder.
func (p *Page) short(folder string) string {
	if rest, ok := strings.CutPrefix(folder, p.on.Home+string(filepath.Separator)); ok && p.on.Home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return folder
}

func (p *Page) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyEscape:
		if p.list.find.Text == "" && p.graph.open {
			p.graph.toggle()
			return true
		}
		if p.list.find.Text == "" {
			return false
		}
		p.list.find.Put("")
		p.list.search()
		kit.Focus(p.list.List)
		return true
	case fyne.KeyF5:
		p.Reload()
		return true
	}
	return p.list.key(e)
}

// layout places the tree at the left and the file beside it.
type layout struct{ p *Page }

const treeWidth = 240

func (l layout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	none := !l.p.empty.root.Hidden
	wide := float32(treeWidth)
	if size.Width < 640 {
		wide = min(treeWidth, size.Width*0.4)
	}
	for _, o := range objects[:3] {
		o.(*fyne.Container).Hidden = none
	}
	kit.Place(objects[0], 0, 0, wide, size.Height)
	kit.Place(objects[1], wide, 0, 1, size.Height)
	kit.Place(objects[2], wide+1, 0, size.Width-wide-1, size.Height)
	kit.Place(objects[3], 0, 0, size.Width, size.Height)
}

func (layout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

// A header contains the folder, the counts and the button that writes summaries.
type header struct {
	page    *Page
	note    *kit.Label
	folder  *kit.Button
	graph   *kit.Button
	update  *kit.Button
	actions []fyne.CanvasObject
}

func newHeader(p *Page) *header {
	h := &header{page: p, note: kit.NewLabel("", 13, kit.ColorMuted)}
	h.folder = kit.NewButton(kit.Ghost, "folder", "", h.menu).Small()
	again := p.shell.Tips.Name(kit.NewButton(kit.Ghost, "retry", "", p.Reload).Small(), "Read the folder again", kit.Shortcut{Key: fyne.KeyF5})
	h.update = kit.NewButton(kit.Outline, "pencil", "", h.press).Small()
	h.graph = kit.NewButton(kit.Ghost, "chain", "Import graph", p.graph.toggle).Small()
	h.update.Hide()
	h.actions = []fyne.CanvasObject{h.folder, again, h.graph, h.update}
	return h
}

// longestFolder is the maximal length of a name in the header, in characters. The menu shows the
// whole path.
const longestFolder = 20

func (h *header) show() {
	p := h.page
	folder := "Open a folder"
	if p.space != nil {
		if folder = p.short(p.space.Root()); utf8.RuneCountInString(folder) > longestFolder {
			folder = format.Cut("…"+string(filepath.Separator)+filepath.Base(folder), longestFolder)
		}
	}
	h.folder.SetText(folder)
	h.graph.Hidden = p.space == nil
	h.graph.SetSelected(p.graph.open)
	h.note.Set("")
	if p.space != nil {
		parts := []string{format.Plural(p.tree.Files, "%d file", "%[2]s files", format.Grouped(p.tree.Files))}
		if n := len(p.tree.Outdated); n > 0 {
			parts = append(parts, format.Plural(n, "%d summary out of date", "%d summaries out of date"))
		}
		if n := len(p.tree.Missing); n > 0 {
			parts = append(parts, format.Plural(n, "%d summary missing", "%[2]s summaries missing", format.Grouped(n)))
		}
		h.note.Set(strings.Join(parts, " · "))
	}
	todo := p.todo()
	h.update.Hidden = p.run == nil && (len(todo) == 0 || !p.on.Model())
	h.update.SetIcon("pencil")
	switch {
	case p.run != nil:
		h.update.SetIcon("stop")
		h.update.SetText(fmt.Sprintf("Stop · %d of %d written", p.run.done, p.run.all))
	case len(todo) > 0:
		verb := "Update"
		if len(p.tree.Outdated) == 0 {
			verb = "Write"
		}
		h.update.SetText(fmt.Sprintf("%s %s · %s", verb, format.Grouped(len(todo)), p.price(p.guess(todo), len(todo))))
	}
	p.Page.Refit()
}

// press starts or stops writing summaries.
func (h *header) press() {
	if h.page.run != nil {
		h.page.stop()
		return
	}
	h.page.start(h.page.todo())
}

// menu offers the folders that were open before.
func (h *header) menu() {
	p := h.page
	items := []popup.Item{{Text: "Open a folder…", Icon: "folder", Do: func() { p.on.Choose(func(folder string) { p.choose(folder, true) }) }}}
	for i, folder := range p.on.Recent() {
		if i == 0 {
			items = append(items, popup.Item{})
		}
		items = append(items, popup.Item{Text: format.Cut(p.short(folder), 60), Checked: p.space != nil && p.space.Root() == folder, Do: func() { p.choose(folder, true) }})
	}
	popup.Show(kit.CanvasOf(h.folder), kit.PositionOf(h.folder).AddXY(0, h.folder.Size().Height+4), items...)
}

// An emptyNote replaces the page while no folder is open.
type emptyNote struct {
	page  *Page
	root  *fyne.Container
	title *kit.Label
	words *kit.Paragraph
	pick  *kit.Button
	busy  bool
	bad   bool
}

func newEmptyNote(p *Page) *emptyNote {
	n := &emptyNote{page: p, title: kit.NewLabel("", 15, kit.ColorText).Strong(), words: kit.NewText("", 13, 20, kit.ColorMuted)}
	n.pick = kit.NewButton(kit.Primary, "folder", "Open a folder…", func() { p.on.Choose(func(folder string) { p.choose(folder, true) }) })
	n.root = container.New(kit.MaxWidth{Width: 440, Edge: 20}, kit.Inset(kit.Margin{Top: 72, Right: 0, Bottom: 0, Left: 0},
		kit.Vertical(10, kit.Horizontal(0, nil, kit.Sized(26, 26, kit.NewIcon("cube", 26, kit.ColorFaint))), n.title, n.words, kit.Horizontal(0, nil, n.pick))))
	return n
}

func (n *emptyNote) wait(text string) {
	n.busy, n.bad = true, false
	n.title.Text = text
	n.words.SetText("")
	n.page.show()
}

func (n *emptyNote) fail(folder string, err error) {
	n.busy, n.bad = false, true
	n.title.Text = folder + " can't be shown"
	n.words.SetText(sentence(err))
	if n.page.space != nil {
		n.page.shell.Alert(fmt.Errorf("%s can't be shown: %w", folder, err))
		n.clear()
	}
}

func (n *emptyNote) clear() { n.busy, n.bad = false, false }

func (n *emptyNote) show() {
	n.root.Hidden = n.page.space != nil && !n.busy
	n.pick.Hidden = n.busy
	if !n.busy && !n.bad {
		n.title.Text = "What your code does, in one place"
		n.words.SetText("Open the folder of a project. You see its files with their outlines, who imports whom, and summaries that your model writes. Line numbers are always current.")
	}
	n.root.Refresh()
}
