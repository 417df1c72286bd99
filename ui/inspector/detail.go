package inspector

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/inspect"
	"goated/ui/kit"
	"goated/ui/view"
)

// A detail shows one entry: its request and its answer.
type detail struct {
	page  *Page
	root  *fyne.Container
	line  *fyne.Container // at the left edge
	entry inspect.Entry
	on    bool // an entry is shown
	raw   bool // show the message as it was sent

	title, meta *kit.Label
	form        *kit.Segments
	command     *kit.Button
	asks        *part
	answers     *part
}

func newDetail(p *Page) *detail {
	d := &detail{page: p, line: kit.Sized(1, 1, kit.NewPanel(kit.ColorBorder, kit.ColorNone, 0)), title: kit.NewLabel("", 13, kit.ColorText).Mono().Strong().Elided(), meta: kit.NewLabel("", 12, kit.ColorMuted).Elided()}
	d.form = kit.NewSegments("Pretty", "Raw")
	d.form.Set(0)
	d.form.OnChoose = func(i int) {
		d.raw = i == 1
		d.draw()
	}
	d.command = kit.NewButton(kit.Ghost, "copy", "Copy as goated call", d.copyCommand).Small()
	d.asks, d.answers = newPart(p, d.arrange), newPart(p, d.arrange)
	shut := kit.NewButton(kit.Ghost, "close", "", func() {
		d.close()
		kit.Focus(p.list.List)
	}).Small()
	head := container.New(detailHead{d}, d.title, d.meta, shut)
	tools := container.New(ends{}, d.form.Root, d.command)
	d.root = container.New(detailLayout{d}, kit.NewPanel(kit.ColorSurface, kit.ColorNone, 0), kit.NewLine(), head, tools, d.asks.root, d.answers.root)
	d.root.Hide()
	d.line.Hide()
	return d
}

// detailHead places the two names beside each other. The first is truncated if necessary.
type detailHead struct{ d *detail }

func (l detailHead) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	meta := min(l.d.meta.Measure(l.d.meta.Text).Width, size.Width*0.6)
	title := min(l.d.title.Measure(l.d.title.Text).Width+1, max(size.Width-meta-10-36, 40))
	kit.Place(objects[0], 0, 0, title, size.Height)
	kit.Place(objects[1], title+10, 1, max(size.Width-title-10-36, 0), size.Height)
	kit.Place(objects[2], size.Width-28, (size.Height-28)/2, 28, 28)
}

func (detailHead) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 28) }

// ends places the first object at the left end and the second at the right.
type ends struct{}

func (ends) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for i, o := range objects {
		m := o.MinSize()
		x := float32(0)
		if i == 1 {
			x = max(size.Width-m.Width, 0)
		}
		kit.Place(o, x, (size.Height-m.Height)/2, m.Width, m.Height)
	}
}

func (ends) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 36) }

// detailLayout divides the remaining height between the two parts. Each gets as much as it needs,
// or at least half.
type detailLayout struct{ d *detail }

func (l detailLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const pad, gap = 16, 12
	w := size.Width - 2*pad
	kit.Place(objects[0], 0, 0, size.Width, size.Height)
	kit.Place(objects[1], 0, 0, size.Width, 1)
	kit.Place(objects[2], pad, 8, w, 28)
	kit.Place(objects[3], pad, 44, w, 36)
	y := float32(88)
	room := max(size.Height-y-gap, 0)
	asks, answers := l.d.asks.wants(w), l.d.answers.wants(w)
	if l.d.asks.root.Hidden {
		asks = 0
	}
	if l.d.answers.root.Hidden {
		answers = 0
	} else if asks > 0 {
		room -= gap
	}
	if asks+answers > room {
		asks = min(asks, max(room/2, room-answers))
		answers = min(answers, room-asks)
	}
	kit.Place(l.d.asks.root, pad, y, w, asks)
	if asks > 0 {
		y += asks + gap
	}
	kit.Place(l.d.answers.root, pad, y, w, answers)
}

func (detailLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 200) }

func (d *detail) open() bool { return d.on }

// show shows an entry.
func (d *detail) show(e inspect.Entry) {
	opens := !d.on
	d.entry, d.on = e, true
	d.draw()
	if opens {
		d.page.layout()
	}
}

func (d *detail) close() {
	d.on = false
	d.page.list.drop()
	d.page.layout()
}

// follow updates the detail after the answer of the entry arrived, or the log dropped the entry.
func (d *detail) follow() {
	if !d.on {
		return
	}
	e, ok := d.page.shown.log.Get(d.entry.Seq)
	if !ok {
		d.close()
		return
	}
	if e.Answer.Time != d.entry.Answer.Time || e.Request.Time != d.entry.Request.Time || e.Outcome != d.entry.Outcome {
		d.show(e)
	}
}

// draw shows the entry in the chosen form.
func (d *detail) draw() {
	e := d.entry
	method, subject := named(e)
	d.title.Text = subject
	if subject == "" || e.Kind == inspect.Noise {
		d.title.Text = method
	}
	parts := []string{d.page.on.Name(e.Server)}
	if e.ID != "" {
		parts = append(parts, "id "+strings.Trim(e.ID, `"`))
	}
	after := ""
	if l, done := e.Latency(); done {
		parts = append(parts, took(l))
		after = ", after " + took(l)
	}
	d.meta.Text = strings.Join(parts, " · ")
	_, err := e.Command()
	d.command.Hidden = err != nil
	asks, answers := "→ Request", "← Response"
	if !e.Ours {
		asks, answers = "← Request", "→ Response"
	}
	if e.Kind == inspect.Note {
		asks = asks[:len("→ ")] + "Notification"
	}
	if e.Kind == inspect.Noise {
		asks = "← Line that is not a message"
	}
	request, answer := e.Request, e.Answer
	switch why := (inspect.Part{Data: []byte(ending(e))}); {
	case e.Kind == inspect.Ended:
		asks, request = "Connection", why
	case len(why.Data) > 0:
		answers, after, answer = "No response", "", why
	}
	d.asks.show(asks, "", request, d.raw)
	d.answers.show(answers, after, answer, d.raw)
	d.arrange()
}

// arrange lays out the detail again.
func (d *detail) arrange() {
	d.root.Layout.Layout(d.root.Objects, d.root.Size())
	d.root.Refresh()
}

// copyCommand copies a command that repeats the call.
func (d *detail) copyCommand() {
	command, err := d.entry.Command(d.page.on.Start(d.entry.Server)...)
	if err != nil {
		d.page.shell.Alert(err)
		return
	}
	d.page.shell.Copy(command)
}

// copyAll copies the request and the answer.
func (d *detail) copyAll() {
	var all []string
	for _, p := range []inspect.Part{d.entry.Request, d.entry.Answer} {
		if len(p.Data) > 0 {
			all = append(all, string(p.Data))
		}
	}
	d.page.shell.Copy(strings.Join(all, "\n"))
}

// A part shows one frame of an entry in a scrolling box.
type part struct {
	page *Page
	root *fyne.Container
	name *kit.Label
	note *kit.Paragraph // explains that the frame is cut off; empty if it is complete
	text *text
	data []byte
}

func newPart(p *Page, changed func()) *part {
	t := &part{page: p, name: kit.NewLabel("", 12, kit.ColorMuted).Elided(), note: kit.NewText("", 12, noteLeading, kit.ColorMuted), text: newText(changed)}
	copies := kit.NewButton(kit.Ghost, "copy", "", func() { p.shell.Copy(t.plain()) }).Small()
	p.shell.Tips.Name(copies, "Copy the message", kit.Shortcut{})
	t.root = container.New(partLayout{t}, t.name, copies, kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), t.text.Root, t.note)
	return t
}

// plain returns the frame for the clipboard.
func (t *part) plain() string {
	if n, ok := view.ParseNode(string(t.data)); ok {
		return n.Plain()
	}
	return string(t.data)
}

func (t *part) show(name, after string, p inspect.Part, raw bool) {
	t.root.Hidden = p.Time.IsZero() && p.Data == nil
	t.data = p.Data
	t.name.Text = name
	if p.Size > 0 {
		t.name.Text += "  " + bytesOf(p.Size) + after
	}
	note := ""
	if p.Cut() {
		note = fmt.Sprintf("goated keeps only the first %s of this message.", bytesOf(len(p.Data)))
	}
	t.note.SetText(note)
	t.note.Hidden = note == ""
	t.text.show(p.Data, p.Cut(), raw)
}

// noteLeading is the height of a line of a part's note.
const noteLeading = 17

// head returns the height above the frame: that of the name, and of the note if there is one.
func (t *part) head(width float32) float32 {
	if t.note.Hidden {
		return 26
	}
	return 26 + t.note.HeightFor(width) + 4
}

// wants returns the height at which everything is visible.
func (t *part) wants(width float32) float32 { return t.head(width) + t.text.height(width-2) + 12 }

type partLayout struct{ t *part }

func (l partLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], 0, 0, size.Width-30, 24)
	kit.Place(objects[1], size.Width-26, -2, 26, 26)
	head := l.t.head(size.Width)
	kit.Place(objects[2], 0, head, size.Width, max(size.Height-head, 0))
	kit.Place(objects[3], 1, head+6, size.Width-2, max(size.Height-head-12, 0))
	kit.Place(objects[4], 0, 24, size.Width, max(head-26, 0))
}

func (partLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 60) }
