package inspector

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"goated/internal/inspect"
	"goated/internal/safetext"
)

// export writes the entries that match the filters to a file that the user chooses.
func (p *Page) export() {
	log, filter := p.shown.log, p.shown.filter
	p.work().Run(func() func() {
		var b bytes.Buffer
		err := log.Export(&b, filter)
		return func() {
			if err != nil {
				p.shell.Alert(err)
				return
			}
			p.on.Save("goated-messages.json", []byte(safetext.Escape(b.String())))
		}
	})
}

// pick lets the user choose a file with messages.
func (p *Page) pick() { p.on.LookFor("Open", p.Import, ".json") }

// Import shows the messages in a file. The recording continues.
func (p *Page) Import(path string) {
	p.work().Run(func() func() {
		log, err := read(path)
		return func() {
			if err != nil {
				p.shell.Alert(fmt.Errorf("%s can't be shown: %w", filepath.Base(path), err))
				return
			}
			p.change(source{log: log, file: filepath.Base(path)})
		}
	})
}

func read(path string) (*inspect.Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	frames, err := inspect.Import(f)
	if err != nil {
		return nil, err
	}
	log := new(inspect.Log)
	for _, frame := range frames {
		log.Add(frame)
	}
	return log, nil
}

// live shows the recording again.
func (p *Page) live() { p.change(source{log: p.on.Recorder.Log()}) }

// change shows another log, without filters.
func (p *Page) change(s source) {
	if p.shown.view != nil {
		p.shown.view.End()
	}
	p.shown = s
	p.list.any, p.detail.on = false, false
	p.list.Set(0)
	p.tiles.first = 0
	p.bar.find.Put("")
	p.bar.show(s.filter)
	p.head.show()
	p.search()
	p.layout()
}

// clear deletes the recorded messages and statistics.
func (p *Page) clear() {
	p.on.Recorder.Log().Clear()
	p.list.any, p.detail.on = false, false
	p.search()
	p.layout()
}
