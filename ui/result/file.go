package result

import (
	"net/url"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/figure"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/view"
	"goated/ui/view/format"
	md "goated/ui/view/markdown"
)

// file draws a sound, a resource or a link. It never fetches a link itself. The user can open the
// same kinds of links as in answers, read others from the server, and open the folder of a file.
// Nothing opens the file itself, because the server chose it.
func (h Host) file(icon string, p view.Part) fyne.CanvasObject {
	name := p.Name
	if name == "" {
		name = p.Title
	}
	title := kit.NewLabel(format.Cut(name, 80), 13, kit.ColorText).Strong().Elided()
	words := kit.Vertical(3, title)
	facts := p
	facts.Name = ""
	known := facts.Facts()
	ending, length := view.Sound(p.Data)
	if length > 0 {
		known = append(known, view.Clock(length))
	}
	if line := strings.Join(known, " · "); line != "" {
		if p.Name != "" {
			line = p.Title + " · " + line
		}
		words.Add(kit.NewLabel(line, 12, kit.ColorMuted).Elided())
	}
	if p.URI != "" {
		words.Add(kit.NewLabel(view.SingleLine(format.Cut(p.URI, 300)), 12, kit.ColorMuted).Mono().Elided())
	}
	if p.About != "" {
		about, _ := view.Clip(p.About, 2000, 20)
		words.Add(kit.NewText(about, 13, 20, kit.ColorMuted))
	}
	objects := []fyne.CanvasObject{container.New(kit.Fixed{Min: fyne.NewSize(34, 34)}, kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8), kit.NewIcon(icon, 17, kit.ColorAccent)), words}
	if ending != "" && h.Play != nil {
		objects = append(objects, kit.NewButton(kit.Outline, "play", "Play", func() { h.Play(p.Data) }).Small())
	}
	if address := md.Opens(p.URI); address != "" {
		objects = append(objects, kit.NewButton(kit.Ghost, "external", "Open", func() { h.Open(address) }).Small())
	}
	if h.Read != nil && p.Kind == view.LinkPart && p.URI != "" && md.Opens(p.URI) == "" {
		objects = append(objects, kit.NewButton(kit.Ghost, "eye", "Read", func() { h.Read(p) }).Small())
	}
	if folder := folderOf(p.URI); h.Show != nil && folder != "" {
		objects = append(objects, kit.NewButton(kit.Ghost, "folder", "Show in folder", func() { h.Show(folder) }).Small())
	}
	if p.URI != "" {
		objects = append(objects, kit.NewButton(kit.Ghost, "copy", "Copy URI", func() { h.Copy(p.URI) }).Small())
	}
	if p.Data != nil {
		objects = append(objects, h.saver(p))
	}
	return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 10, Right: 8, Bottom: 10, Left: 12}, kit.Horizontal(12, words, objects...))
}

// image draws an image and its properties.
func (h Host) image(p view.Part) fyne.CanvasObject {
	about := kit.NewLabel(strings.Join(append([]string{p.Title}, p.Facts()...), " · "), 12, kit.ColorFaint).Elided()
	img := figure.New(p.Data, h.Runner, markdown.PictureHeight)
	ready := false
	img.OnReady = func(size string) {
		if size != "" {
			about.Set(about.Text + " · " + size)
		}
		if ready {
			h.Resized()
		}
	}
	if img.Ready() { // decoding was immediate
		img.OnReady(img.About)
	}
	ready = true
	place := container.New(kit.Margin{}, img.Root)
	if h.View != nil {
		place.Objects = append([]fyne.CanvasObject{kit.NewTappable(6, func() { h.View(p) })}, place.Objects...)
	}
	head := kit.Inset(kit.Margin{Top: 4, Right: 5, Bottom: 0, Left: 14}, kit.Horizontal(8, about, about, h.saver(p)))
	return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{}, kit.Vertical(0, head, kit.Inset(kit.Margin{Top: 4, Right: 14, Bottom: 14, Left: 14}, place)))
}

func (h Host) saver(p view.Part) *kit.Button {
	return kit.NewButton(kit.Ghost, "save", "Save…", func() {
		if h.Save != nil {
			h.Save(p.FileName(h.Name), p.Data)
		}
	}).Small()
}

// folderOf returns the folder of the local file that an address names, or "" if it names none.
func folderOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return ""
	}
	return filepath.Dir(filepath.FromSlash(u.Path))
}
