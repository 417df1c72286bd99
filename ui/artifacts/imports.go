package artifacts

import (
	"fmt"
	"path"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
)

const (
	boxHeight = 32
	boxGap    = 14
	most      = 7 // the maximal number of boxes on each side
)

// imports returns a picture of the files that import this one, and of the files and packages that
// this one imports.
func (v *fileView) imports() fyne.CanvasObject {
	f := v.file
	title := kit.NewLabel("Imports", 12, kit.ColorMuted).Medium().Elided()
	count := kit.NewLabel(fmt.Sprintf("Used by %d · uses %d", len(f.UsedBy), len(f.Uses)+len(f.Packages)), 12, kit.ColorMuted)
	g := &neighbours{left: v.boxes(f.UsedBy, nil), right: v.boxes(f.Uses, f.Packages), middle: v.box(f.Path, true)}
	for range len(g.left) + len(g.right) + 4 {
		g.lines = append(g.lines, kit.NewPanel(kit.ColorHair, kit.ColorNone, 0))
	}
	objects := []fyne.CanvasObject{kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 12)}
	for _, l := range g.lines {
		objects = append(objects, l)
	}
	objects = append(append(append(objects, g.left...), g.right...), g.middle)
	return kit.Vertical(8, kit.Sized(1, 24, kit.Horizontal(8, title, title, count)), container.New(g, objects...))
}

// boxes returns the boxes of files and packages. If there are too many, the last box shows the
// number of the others.
func (v *fileView) boxes(files, packages []string) (all []fyne.CanvasObject) {
	total := len(files) + len(packages)
	for i, name := range slices.Concat(files, packages) {
		switch {
		case i == most-1 && total > most:
			more := kit.NewLabel(fmt.Sprintf("and %d more", total-i), 12, kit.ColorMuted)
			return append(all, kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: 14}, more))
		case i < len(files):
			all = append(all, v.box(name, false))
		default:
			all = append(all, boxOfPackage(name))
		}
	}
	return all
}

// boxOfPackage returns the box of a package, whose files are elsewhere. A press does nothing.
func boxOfPackage(name string) fyne.CanvasObject {
	label := kit.NewLabel(view.SingleLine(name), 12, kit.ColorMuted).Mono().Elided()
	return container.New(kit.Margin{}, kit.NewPanel(kit.ColorNone, kit.ColorBorder, 8), boxContent("cube", label))
}

// boxContent returns the content of a box: an icon and a name.
func boxContent(icon string, name *kit.Label) fyne.CanvasObject {
	return kit.Inset(kit.Margin{Top: 0, Right: 8, Bottom: 0, Left: 11}, kit.Horizontal(8, name, kit.Sized(13, boxHeight, kit.NewIcon(icon, 13, kit.ColorMuted)), name))
}

// box returns the box of a file. A press shows the file.
func (v *fileView) box(file string, here bool) fyne.CanvasObject {
	label := path.Base(file)
	if dir := path.Base(path.Dir(file)); dir != "." {
		label = dir + "/" + label
	}
	spot := kit.NewTappable(8, func() { v.page.list.reveal(file) })
	spot.SetColors(kit.ColorSurface, kit.ColorBorder)
	if here {
		spot.SetColors(kit.ColorSurface, kit.ColorAccent)
	}
	name := kit.NewLabel(view.SingleLine(label), 12, kit.ColorText).Mono().Elided()
	return container.New(kit.Margin{}, spot, boxContent("file", name))
}

// A neighbours lays out the picture, with the importing files at the left and the imported ones
// at the right.
type neighbours struct {
	left, right []fyne.CanvasObject
	middle      fyne.CanvasObject
	lines       []*kit.Panel
}

func (g *neighbours) height() float32 {
	n := max(len(g.left), len(g.right), 1)
	return float32(n)*(boxHeight+boxGap) - boxGap + 2*16
}

func (g *neighbours) HeightFor([]fyne.CanvasObject, float32) float32 { return g.height() }

func (g *neighbours) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(240, g.height()) }

func (g *neighbours) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], 0, 0, size.Width, size.Height)
	box := min((size.Width-2*16)*0.27, 190)
	centre := size.Height / 2
	middle := (size.Width - box) / 2
	kit.Place(g.middle, middle, centre-boxHeight/2, box, boxHeight)
	next := 0
	line := func(x1, y1, x2, y2 float32) {
		l := g.lines[next]
		next++
		l.Show()
		kit.Place(l, min(x1, x2), min(y1, y2), max(max(x1, x2)-min(x1, x2), 1.5), max(max(y1, y2)-min(y1, y2), 1.5))
	}
	side := func(boxes []fyne.CanvasObject, x, outer, trunk, inner float32) {
		if len(boxes) == 0 {
			return
		}
		top := centre - (float32(len(boxes))*(boxHeight+boxGap)-boxGap)/2
		for i, b := range boxes {
			y := top + float32(i)*(boxHeight+boxGap)
			kit.Place(b, x, y, box, boxHeight)
			line(outer, y+boxHeight/2, trunk, y+boxHeight/2)
		}
		line(trunk, top+boxHeight/2, trunk, top+float32(len(boxes)-1)*(boxHeight+boxGap)+boxHeight/2+1.5)
		line(trunk, centre, inner, centre)
	}
	left, right := float32(16), size.Width-16-box
	side(g.left, left, left+box, (left+box+middle)/2, middle)
	side(g.right, right, right, (right+middle+box)/2, middle+box)
	for _, l := range g.lines[next:] {
		l.Hide()
	}
}
