package ui

import (
	"errors"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// hostAdder is the line on which a host is allowed.
func (b *serverBook) hostAdder() fyne.CanvasObject {
	l := b.newAdding("A host, such as api.example.org", &b.addingHost)
	l.in.OnSubmit = func() {
		host, err := view.HostOf(l.in.Text)
		if err != nil {
			l.complain(err)
			focus(l.in)
			return
		}
		b.addingHost = ""
		b.w.offer(b.server, sandbox.Permission{Kind: sandbox.ToHost, Host: host})
	}
	allow := newButton(outline, "chain", "Allow the host", func() { l.in.OnSubmit() })
	return vertical(8, inset(margin{8, 0, 0, 0}, newLabel("Add a host", 13, colorText).strong()),
		newText("Without a port, those of the web are meant, 443 and 80; *.example.org is all below it. What is in your own network has to be allowed by its address, too.", 12, 18, colorMuted),
		container.New(row{gap: 8, flex: l.field}, l.field, allow), l.wrong)
}

// adder is the line on which a folder is allowed.
func (b *serverBook) adder() fyne.CanvasObject {
	w := b.w
	l := b.newAdding("A folder or a file to allow", &b.adding)
	add := func(kind sandbox.Kind) {
		home, _ := os.UserHomeDir()
		path := config.ScriptPath(l.in.Text, home)
		w.begin(func() {
			err := allowable(path)
			w.post(func() {
				if err != nil {
					l.complain(err)
					focus(l.in)
					return
				}
				b.adding = ""
				w.offer(b.server, sandbox.Permission{Kind: kind, Path: filepath.Clean(path)})
			})
		})
	}
	l.in.OnSubmit = func() { add(sandbox.ToRead) }
	browse := newButton(outline, "folder", "Browse…", func() { w.browseFolder(func(path string) { l.in.put(path); b.adding = path }) })
	gap := newLabel("", 12, colorFaint).elided()
	return vertical(8, inset(margin{8, 0, 0, 0}, newLabel("Add a folder", 13, colorText).strong()),
		container.New(row{gap: 8, flex: l.field}, l.field, browse), l.wrong,
		horizontal(8, gap, newButton(outline, "eye", "Allow reading", func() { add(sandbox.ToRead) }),
			newButton(outline, "pencil", "Allow reading and writing", func() { add(sandbox.ToWrite) }), gap))
}

// An adding is a field for what is to be allowed, and what is wrong with it.
type adding struct {
	in       *input
	field    *fyne.Container
	wrong    fyne.CanvasObject
	complain func(error) // nil takes it back
}

// newAdding is such a field, whose text is kept while the page is drawn anew.
func (b *serverBook) newAdding(hint string, kept *string) adding {
	in := newInput(b.w.clock, hint, false)
	in.put(*kept)
	wrong := newText("", 13, 20, colorBad)
	wrong.Hide()
	complain := func(err error) {
		wrong.Hidden = err == nil
		if err != nil {
			wrong.setText(view.Sentence(err.Error()))
		}
		b.refit()
	}
	in.OnTyped = func() { *kept = in.Text; complain(nil) }
	in.OnRefuse = func(text string) { complain(errors.New(text)) }
	return adding{in: in, field: newField(in), wrong: wrong, complain: complain}
}
