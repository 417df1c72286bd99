package servers

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui/kit"
	"goated/ui/view"
)

// logPage shows what the server has written since its last start, below the output of earlier
// runs. The lines before a crash show why it happened.
func (p *serverPage) logPage() fyne.CanvasObject {
	page := kit.Vertical(12)
	if p.server.Status == client.Failed && p.server.Err != nil {
		page.Add(p.process.newCard().Draw(p.server, p.server.Err))
	}
	if view.NonMessageNote(p.server) != "" {
		page.Add(kit.Vertical(2, kit.NewText(view.NonMessageNote(p.server)+".", 13, 20, kit.ColorWarn), kit.NewText(view.NonMessageAdvice(p.server), 13, 20, kit.ColorMuted)))
	}
	if note := view.OddOutputNote(p.server); note != "" {
		page.Add(kit.Vertical(2, kit.NewText(note, 13, 20, kit.ColorMuted), kit.NewText("This does no harm: goated reads it anyway.", 13, 20, kit.ColorFaint)))
	}
	var runs []client.LogRun
	if p.ps.Host != nil {
		runs = p.ps.Host.Log(p.server.ID)
	}
	for _, run := range runs {
		if len(run.Lines) == 0 {
			continue
		}
		text := runText(run)
		body := kit.NewText(text, 12, 18, kit.ColorText)
		body.Style.Monospace = true
		page.Add(kit.NewListing(beganText(run.Began, time.Now()), body, func() { p.ps.Copy(text) }))
	}
	if len(runs) == 0 || len(runs[len(runs)-1].Lines) == 0 {
		page.Add(kit.NewEmptyNote("list", "The server has written nothing yet. Its stderr appears here as it is written."))
	}
	return page
}

// runText returns the lines of a run, each preceded by its time.
func runText(run client.LogRun) string {
	var b strings.Builder
	for i, line := range run.Lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.At.Local().Format("15:04:05") + "  " + line.Text)
	}
	return b.String()
}

// beganText describes when a run began.
func beganText(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Year() == now.Year() && at.YearDay() == now.YearDay() {
		return "Started at " + at.Format("15:04:05")
	}
	return "Started on " + at.Format("2 January, 15:04:05")
}

// pollLog starts or stops polling the log, twice a second. The page stays scrolled to the end
// unless the user scrolled up.
func (p *serverPage) pollLog(on bool) {
	if p.logTicker != nil {
		p.ps.Clock.Remove(p.logTicker)
		p.logTicker = nil
	}
	if !on {
		return
	}
	p.logTicker = p.ps.Clock.Add(5, func() {
		if p.ps.Host == nil {
			return
		}
		for _, s := range p.ps.Host.Snapshot().Servers {
			if s.ID == p.server.ID && !slices.Equal(s.Stderr, p.server.Stderr) {
				p.server.Stderr = s.Stderr
				scroll := p.Body.Scroll
				shown := scroll.Offset
				atEnd := shown.Y+scroll.Size().Height >= scroll.Content.MinSize().Height-1
				p.Show(p.logPage())
				if atEnd {
					scroll.ScrollToBottom()
				} else {
					scroll.ScrollToOffset(shown)
				}
			}
		}
	})
}
