package artifacts

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/enumeration"
	"goated/internal/safetext"
	"goated/servers/llmem/browse"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/view/format"
)

// A fileView shows one file or folder.
type fileView struct {
	page   *Page
	root   *fyne.Container
	scroll *kit.Scroller
	column *fyne.Container

	path    string // empty: the user has chosen nothing
	line    int    // the line of the chosen symbol; 0: none
	file    browse.File
	tokens  int  // the size of the prompt for a new summary; 0: unknown
	loaded  bool // file contains the data for path
	loads   int
	tab     int // 0: the outline, 1: the summary, if there is no room for both
	problem error
}

func newFileView(p *Page) *fileView {
	v := &fileView{page: p, column: kit.Vertical(0)}
	v.scroll = kit.NewScroller(kit.Inset(kit.Margin{Top: 14, Right: 20, Bottom: 20, Left: 24}, v.column))
	v.root = container.New(kit.Margin{}, v.scroll.Root)
	return v
}

func (v *fileView) clear() {
	v.path, v.loaded, v.problem = "", false, nil
	v.draw()
}

// show reads and shows a file or folder. If line is not 0, it selects the symbol at that line in
// the outline.
func (v *fileView) show(path string, line int) {
	was := v.page.graph.close() || line != v.line
	v.line = line
	if path == v.path && v.problem == nil {
		if was {
			v.draw()
		}
		return
	}
	v.path, v.loaded, v.tokens, v.problem = path, false, 0, nil
	v.scroll.Scroll.ScrollToTop()
	v.reload()
}

// reload reads the shown file again.
func (v *fileView) reload() {
	space, name := v.page.space, v.path
	if space == nil || name == "" {
		v.draw()
		return
	}
	v.loads++
	n := v.loads
	v.page.work().Run(func() func() {
		f, err := space.File(v.page.shell.Ctx, name)
		tokens := 0
		if err == nil && (f.Folder || f.NoOutline == "") {
			if p, err := space.Prompt(v.page.shell.Ctx, name); err == nil {
				tokens = p.Tokens
			}
		}
		return func() {
			if n != v.loads {
				return
			}
			v.file, v.tokens, v.problem, v.loaded = f, tokens, err, err == nil
			v.draw()
		}
	})
}

// draw draws the current state.
func (v *fileView) draw() {
	v.column.Objects = nil
	switch {
	case v.page.graph.open:
		v.page.graph.fill(v.column)
	case v.problem != nil:
		text := sentence(v.problem)
		if !strings.HasPrefix(text, v.path) {
			text = v.path + ": " + text
		}
		v.column.Add(kit.NewEmptyNote("alert", text))
	case v.path == "":
		v.column.Add(kit.NewEmptyNote("file", "Choose a file to see its outline, its summary, and who imports it."))
	case v.loaded:
		v.fill()
	}
	v.root.Refresh()
	v.scroll.Root.Layout.Layout(v.scroll.Root.Objects, v.scroll.Root.Size())
	v.scroll.Root.Refresh()
}

func gap(h float32) fyne.CanvasObject {
	return kit.Sized(1, h, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0))
}

func (v *fileView) fill() {
	v.column.Add(v.head())
	if b := v.banner(); b != nil {
		v.column.Add(gap(14))
		v.column.Add(b)
	}
	v.column.Add(gap(16))
	v.column.Add(v.parts())
	if !v.file.Folder && len(v.file.Uses)+len(v.file.UsedBy)+len(v.file.Packages) > 0 {
		v.column.Add(gap(20))
		v.column.Add(v.imports())
	}
}

// head returns the path of the file, its facts and its buttons.
func (v *fileView) head() fyne.CanvasObject {
	f := v.file
	dir := strings.ReplaceAll(path.Dir(f.Path), "/", " / ")
	above := kit.NewLabel("", 14, kit.ColorMuted)
	if dir != "." {
		above.Text = safetext.OneLine(dir) + " / "
	}
	name := kit.NewLabel(path.Base(f.Path), 14, kit.ColorText).Strong().Elided()
	var facts []string
	if f.Language != "" {
		facts = append(facts, language(f.Language))
	}
	if !f.Folder && f.Lines > 0 {
		facts = append(facts, format.Plural(f.Lines, "%d line", "%[2]s lines", format.Grouped(f.Lines)))
	}
	if !f.Modified.IsZero() {
		facts = append(facts, "changed "+ago(f.Modified, v.page.shell.Now()))
	}
	switch {
	case f.Folder:
		facts = append([]string{"Folder"}, facts...)
	case f.NoOutline != "":
		facts = append(facts, f.NoOutline)
	case f.Errors:
		facts = append(facts, "the source has syntax errors, so definitions may be missing")
	default:
		facts = append(facts, "the outline is up to date")
	}
	words := kit.Vertical(0, kit.Horizontal(0, name, above, name), kit.NewLabel(strings.Join(facts, " · "), 12, kit.ColorMuted).Elided())
	copies := kit.NewButton(kit.Ghost, "copy", "Copy outline", func() { v.page.shell.Copy(plainOutline(f)) }).Small()
	copies.Hidden = len(f.Symbols) == 0
	label := "Open file"
	if f.Folder {
		label = "Open folder"
	}
	open := kit.NewButton(kit.Outline, "external", label, func() {
		v.page.shell.Reveal(filepath.Join(v.page.space.Root(), filepath.FromSlash(f.Path)))
	}).Small()
	return kit.Horizontal(8, words, words, copies, open)
}

// banner explains that the summary is missing or outdated, with the button that writes it.
func (v *fileView) banner() fyne.CanvasObject {
	f, p := v.file, v.page
	if f.NoOutline != "" && f.Summary == nil {
		return nil
	}
	fresh := f.Summary != nil && !f.Summary.Stale
	if fresh {
		return nil
	}
	title, note, verb := "There is no summary yet.", "", "Write it"
	if f.Summary != nil {
		title, verb = "The summary is older than the file.", "Regenerate"
		if f.Folder {
			title = "The summary is older than the folder."
		}
		note = changes(f.Summary.Changed)
	}
	fill, ink := kit.ColorSoft, kit.ColorAccent
	if f.Summary != nil {
		fill, ink = kit.ColorWarnSoft, kit.ColorWarn
	}
	text := kit.NewLabel(note, 13, kit.ColorMuted).Elided()
	parts := []fyne.CanvasObject{kit.Sized(15, 15, kit.NewIcon("clock", 15, ink)), kit.NewLabel(title, 13, kit.ColorText).Medium(), text}
	switch {
	case p.run != nil && p.run.now == f.Path:
		parts = append(parts, kit.NewLabel("Your model is writing it…", 13, kit.ColorMuted))
	case p.run != nil:
		parts = append(parts, kit.NewLabel("Waiting", 13, kit.ColorMuted))
	case !p.on.Model():
		text.Text = "No model answers yet. Choose one, or add a key in Settings."
	case v.tokens > 0:
		label := verb + " · " + p.price(v.tokens, 1)
		if _, known := p.on.Cost(v.tokens, browse.SummaryTokens); known {
			label = fmt.Sprintf("%s · %s tokens, %s", verb, format.Short(v.tokens+browse.SummaryTokens), p.price(v.tokens, 1))
		}
		parts = append(parts, kit.NewButton(kit.Outline, "", label, func() { p.start([]string{f.Path}) }).Small())
	}
	return kit.Boxed(kit.NewPanel(fill, kit.ColorNone, 12), kit.Margin{Top: 8, Right: 8, Bottom: 8, Left: 14}, container.New(kit.Row{Gap: 9, Flex: text}, minHeight(parts)...))
}

// minHeight makes a row as high as a small button, so that its height never changes.
func minHeight(parts []fyne.CanvasObject) []fyne.CanvasObject {
	return append(parts, kit.Sized(0, 28, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)))
}

// changes names the symbols that changed.
func changes(all []string) string {
	switch n := len(all); {
	case n == 0:
		return ""
	case n > 3:
		return fmt.Sprintf("%s and %d more changed.", strings.Join(all[:2], ", "), n-2)
	default:
		return enumeration.And(all) + " changed."
	}
}

// parts returns the outline and the summary, side by side or as tabs.
func (v *fileView) parts() fyne.CanvasObject {
	summary := v.summary()
	if v.file.Folder {
		return summary
	}
	outline := v.outline()
	tabs := kit.NewSegments("Outline", "Summary")
	tabs.Set(v.tab)
	both := container.New(&sides{v: v}, tabs.Root, outline, summary)
	tabs.OnChoose = func(i int) {
		v.tab = i
		v.draw()
	}
	return both
}

// sides places the outline and the summary side by side, or as tabs in a narrow page.
type sides struct{ v *fileView }

func (l *sides) wide(width float32) bool { return width >= 620 }

func (l *sides) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if l.wide(size.Width) {
		o[0].Hide()
		o[1].Show()
		o[2].Show()
		left := min(max(size.Width*0.54, 300), 460)
		kit.Place(o[1], 0, 0, left, kit.HeightOf(o[1], left))
		kit.Place(o[2], left+24, 0, size.Width-left-24, kit.HeightOf(o[2], size.Width-left-24))
		return
	}
	o[0].Show()
	m := o[0].MinSize()
	kit.Place(o[0], 0, 0, m.Width, m.Height)
	for i, part := range o[1:] {
		if part.(*fyne.Container).Hidden = i != l.v.tab; i == l.v.tab {
			kit.Place(part, 0, m.Height+12, size.Width, kit.HeightOf(part, size.Width))
		}
	}
}

func (l *sides) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	if l.wide(width) {
		left := min(max(width*0.54, 300), 460)
		return max(kit.HeightOf(o[1], left), kit.HeightOf(o[2], width-left-24))
	}
	return o[0].MinSize().Height + 12 + kit.HeightOf(o[1+l.v.tab], width)
}

func (l *sides) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(240, 100) }

// summary returns the stored summary.
func (v *fileView) summary() *fyne.Container {
	s := v.file.Summary
	title := kit.NewLabel("Summary", 12, kit.ColorMuted).Medium().Elided()
	row := []fyne.CanvasObject{title}
	column := kit.Vertical(10)
	switch {
	case s == nil && v.file.NoOutline != "":
		column.Add(kit.Sized(1, 24, kit.Horizontal(8, title, row...)))
		column.Add(faint("goated writes summaries of files with an outline."))
	case s == nil:
		column.Add(kit.Sized(1, 24, kit.Horizontal(8, title, row...)))
		column.Add(faint("A summary says what the code is for, how it works and what to watch out for. Your model writes it from the source."))
	default:
		if s.Stale {
			row = append(row, kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 10), kit.Margin{Top: 2, Right: 10, Bottom: 2, Left: 10}, kit.NewLabel("Out of date", 12, kit.ColorWarn).Medium()))
		}
		column.Add(kit.Sized(1, 24, kit.Horizontal(8, title, row...)))
		marked := false
		column.Add(markdown.Marked(s.Content, func(paragraph string) [][2]int {
			parts := sentencesAbout(paragraph, s.Changed)
			marked = marked || len(parts) > 0
			return parts
		}))
		column.Add(kit.NewLine())
		column.Add(faint("Written " + s.Written.Format("2 January 2006, 15:04") + by(s.Model) + ". It is in the folder .artifacts of the workspace."))
		if marked {
			column.Add(faint("The marked sentences are about definitions that changed."))
		}
	}
	return column
}

// by names the model that wrote a summary. The model is unknown if another program ran it.
func by(model string) string {
	if model == "" {
		return ""
	}
	return " by " + safetext.OneLine(model)
}

// ago describes when a file changed.
func ago(t, now time.Time) string {
	switch s := format.Ago(t, now); s {
	case "", "now":
		return "just now"
	default:
		return s + " ago"
	}
}

func language(name string) string {
	switch name {
	case "go":
		return "Go"
	case "javascript":
		return "JavaScript"
	case "typescript":
		return "TypeScript"
	case "tsx":
		return "TSX"
	case "php":
		return "PHP"
	case "cpp":
		return "C++"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
