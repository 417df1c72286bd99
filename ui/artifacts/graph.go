package artifacts

import (
	"fmt"
	"path"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/servers/llmem/browse"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/view/graph"
)

// maxNodes is the approximate number of boxes in the picture.
const maxNodes = 36

// An importGraph is the picture of the imports in the whole workspace. It replaces the file view.
type importGraph struct {
	page    *Page
	open    bool
	loads   int
	loaded  bool
	problem error
	imports browse.Imports
	root    string // the drawn folder; "." is the whole workspace
	picture graph.Picture
	chosen  string // the path of the chosen box; empty: none
}

func newImportGraph(p *Page) *importGraph { return &importGraph{page: p, root: "."} }

// toggle switches between the picture and the file.
func (g *importGraph) toggle() {
	if g.close() {
		g.page.file.draw()
		return
	}
	g.open = true
	g.page.show()
	g.page.file.draw()
	g.load()
}

// close hides the picture. It reports whether the picture was open.
func (g *importGraph) close() (was bool) {
	was = g.open
	g.open, g.loaded, g.root, g.chosen = false, false, ".", ""
	if was {
		g.page.head.show()
	}
	return was
}

// load reads the imports again if the picture is open, until all files are read.
func (g *importGraph) load() {
	space := g.page.space
	if !g.open || space == nil {
		return
	}
	g.loads++
	n := g.loads
	g.page.work().Run(func() func() {
		imports, err := space.Imports(g.page.shell.Ctx)
		return func() {
			if n != g.loads || g.page.space != space || !g.open {
				return
			}
			g.imports, g.problem, g.loaded = imports, err, true
			g.enter(g.root)
			if err == nil && imports.Pending > 0 {
				g.load()
			}
		}
	})
}

// enter opens a folder in the picture.
func (g *importGraph) enter(root string) {
	all := make([]graph.Link, len(g.imports.Links))
	for i, l := range g.imports.Links {
		all[i] = graph.Link(l)
	}
	if root != g.root {
		g.chosen = ""
		g.page.file.scroll.Scroll.ScrollToTop()
	}
	g.root, g.picture = root, graph.New(all, root, maxNodes)
	g.page.file.draw()
}

// choose marks a box and its lines. Choosing the same box again removes the mark.
func (g *importGraph) choose(key string) {
	if g.chosen == key {
		key = ""
	}
	g.chosen = key
	g.page.file.draw()
}

// key returns a key for a box.
func key(n graph.Node) string {
	if n.Own {
		return n.Path + "/*"
	}
	return n.Path
}

// at returns the index of the node for the chosen box.
func (g *importGraph) at() int {
	for i, n := range g.picture.Nodes {
		if key(n) == g.chosen {
			return i
		}
	}
	return -1
}

// fill draws the current state.
func (g *importGraph) fill(column *fyne.Container) {
	switch {
	case g.problem != nil:
		column.Add(kit.NewEmptyNote("alert", "The imports can't be read: "+sentence(g.problem)))
		return
	case !g.loaded, len(g.picture.Nodes) == 0 && g.imports.Pending > 0:
		column.Add(faint("Reading who imports whom…"))
		return
	case len(g.picture.Nodes) == 0:
		column.Add(kit.NewEmptyNote("chain", "No file here imports another file of the workspace."))
		return
	}
	column.Add(g.head())
	column.Add(gap(10))
	column.Add(g.legend())
	column.Add(gap(14))
	column.Add(newGraphView(g))
}

// head returns a line with the drawn folder, or with the chosen box and its actions.
func (g *importGraph) head() fyne.CanvasObject {
	title := kit.NewLabel("Import graph", 14, kit.ColorText).Strong()
	facts := kit.NewLabel(g.facts(), 12, kit.ColorMuted).Elided()
	row := []fyne.CanvasObject{kit.Vertical(0, title, facts)}
	if g.root != "." {
		title.Text = "Imports in " + view.SingleLine(g.root)
		up := path.Dir(g.root)
		row = append(row, kit.NewButton(kit.Ghost, "back", "Whole workspace", func() { g.enter(".") }).Small())
		if up != "." {
			row = append(row, kit.NewButton(kit.Ghost, "up", path.Base(up), func() { g.enter(up) }).Small())
		}
	}
	if i := g.at(); i >= 0 {
		n := g.picture.Nodes[i]
		title.Text = view.SingleLine(label(n))
		facts.Text = fmt.Sprintf("used by %d · uses %d", len(n.UsedBy), len(n.Uses))
		if n.Folder && n.Path != g.root && !n.Own {
			row = append(row, kit.NewButton(kit.Outline, "zoom", "Look inside", func() { g.enter(n.Path) }).Small())
		}
		if n.Path != "." {
			row = append(row, kit.NewButton(kit.Ghost, "list", "Show in the tree", func() { g.page.list.reveal(n.Path) }).Small())
		}
	}
	return kit.Horizontal(8, row[0], row...)
}

// facts describes the content of the picture.
func (g *importGraph) facts() string {
	files, folders := 0, false
	for _, n := range g.picture.Nodes {
		files += n.Files
		folders = folders || n.Folder
	}
	text := format.Plural(files, "%d file with imports", "%[2]s files with imports", format.Grouped(files))
	if folders {
		text += format.Plural(len(g.picture.Nodes), " in %d folder", " in %d folders")
	}
	text += format.Plural(len(g.picture.Edges), " · %d connection", " · %d connections")
	if n := g.picture.Outside; n > 0 {
		text += fmt.Sprintf(" · %s to or from outside", format.Grouped(n))
	}
	return text
}

// legend explains the picture.
func (g *importGraph) legend() fyne.CanvasObject {
	text := "Lines point down to the imported file. goated leaves out a line that follows from others. Press a box to see all of its lines."
	for _, e := range g.picture.Edges {
		if e.Back {
			text += " A dark yellow line closes a cycle."
			break
		}
	}
	if n := g.picture.Left; n > 0 {
		text += format.Plural(n, " %d file with few imports has no room.", " %d files with few imports have no room.")
	}
	if n := g.imports.Pending; n > 0 {
		text += format.Plural(n, " goated is still reading %d file.", " goated is still reading %[2]s files.", format.Grouped(n))
	}
	return faint(text)
}

// label returns the text of a box.
func label(n graph.Node) string {
	switch {
	case n.Path == ".":
		return "files at the top"
	case n.Own:
		return n.Path + "/*"
	}
	return n.Path
}

// newGraphView returns the picture: boxes above a widget that draws the lines.
func newGraphView(g *importGraph) fyne.CanvasObject {
	l := &graphLayout{g: g, lines: newGraphLines()}
	objects := []fyne.CanvasObject{kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 12), l.lines}
	chosen := g.at()
	near := make(map[int]bool)
	if chosen >= 0 {
		near[chosen] = true
		for _, o := range append(append([]int{}, g.picture.Nodes[chosen].Uses...), g.picture.Nodes[chosen].UsedBy...) {
			near[o] = true
		}
	}
	for i, n := range g.picture.Nodes {
		spot := kit.NewTappable(8, func() { g.choose(key(n)) })
		ink, stroke := kit.ColorText, kit.ColorBorder
		switch {
		case i == chosen:
			stroke = kit.ColorAccent
		case chosen >= 0 && !near[i]:
			ink = kit.ColorFaint
		}
		spot.SetColors(kit.ColorSurface, stroke)
		short := label(n)
		if g.root != "." && n.Path != g.root {
			short = short[len(g.root)+1:]
		}
		name := kit.NewLabel(view.SingleLine(short), 12, ink).Mono().Elided()
		count := kit.NewLabel("", 11, kit.ColorFaint)
		if n.Folder {
			count.Text = fmt.Sprint(n.Files)
		}
		box := container.New(kit.Margin{}, spot, kit.Inset(kit.Margin{Top: 0, Right: 8, Bottom: 0, Left: 9}, kit.Horizontal(6, name, name, count)))
		l.boxes = append(l.boxes, box)
		l.names = append(l.names, boxName{name, short})
		objects = append(objects, box)
	}
	return container.New(l, objects...)
}

// A boxName is the label of a box, with the full path, of which it may show only a part.
type boxName struct {
	label *kit.Label
	path  string
}

// fit shortens a long path at its beginning, which is the least important part.
func (n boxName) fit(width float32) {
	p := n.path
	for n.label.Measure(view.SingleLine(p)).Width > width {
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			break
		}
		p = rest
	}
	if n.label.Text != view.SingleLine(p) {
		n.label.Text = view.SingleLine(p)
		n.label.Refresh()
	}
}
