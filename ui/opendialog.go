package ui

import (
	"context"
	"sync"

	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/pause"
	"goated/ui/shell"
)

// An openDialog is a dialog of the pause server. The goroutine that asks and the UI goroutine
// that shows it share it.
type openDialog struct {
	mu      sync.Mutex
	waits   bool // the caller still waits for the answer
	shell   *shell.Shell
	sheet   *pause.Sheet         // nil: not drawn yet
	entered func() dialog.Answer // runs on the UI goroutine; nil: not drawn yet
}

// showWaits shows on the sheet whether the caller still waits. It returns when ctx ends.
func (o *openDialog) showWaits(ctx context.Context, waits <-chan bool) {
	for {
		select {
		case <-ctx.Done():
			return
		case on := <-waits:
			o.mu.Lock()
			o.waits = on
			sh, sheet := o.shell, o.sheet
			o.mu.Unlock()
			if sheet != nil {
				sh.Post(func() { sheet.Waits(on) })
			}
		}
	}
}

// draw draws the sheet. Call it on the UI goroutine.
func (o *openDialog) draw(sh *shell.Shell, d pause.Dialog) *kit.Sheet {
	sheet := pause.NewSheet(sh, d)
	o.show(sh, sheet.Draft)
	o.mu.Lock()
	o.sheet = sheet
	waits := o.waits // showWaits passes on later changes
	o.mu.Unlock()
	sheet.Waits(waits)
	return sheet.Sheet
}

// markVisible notes that the dialog is visible again. Call it on the UI goroutine.
func (o *openDialog) markVisible() {
	o.mu.Lock()
	sheet := o.sheet
	o.mu.Unlock()
	if sheet != nil {
		sheet.Appear()
	}
}

// show notes that the dialog is on the screen.
func (o *openDialog) show(sh *shell.Shell, entered func() dialog.Answer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shell, o.entered = sh, entered
}

// wasShown reports whether the dialog was on the screen.
func (o *openDialog) wasShown() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.entered != nil
}

// draft returns what the user has entered.
func (o *openDialog) draft() dialog.Answer {
	o.mu.Lock()
	sh, entered := o.shell, o.entered
	o.mu.Unlock()
	if entered == nil {
		return dialog.Answer{}
	}
	got := make(chan dialog.Answer, 1)
	sh.Post(func() { got <- entered() })
	select {
	case a := <-got:
		return a
	case <-sh.Ctx.Done():
		return dialog.Answer{}
	}
}
