package backend

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
)

// prompt is how long a dialog may take to react to Return and to show its buttons.
const prompt = time.Second

// errDialogOpen reports that a dialog did not react.
var errDialogOpen = errors.New("the dialog stays")

// waitClosed waits until a file dialog closes after the path and Return were typed into it. known
// contains the dialogs that existed before. If Return had no effect, closes presses the dialog's
// button. It confirms a second dialog only if replaces is set.
func (p *fileDialogService) waitClosed(ctx context.Context, s *screen, dialog x11.Window, known []uint32, replaces bool) error {
	brief, cancel := context.WithTimeoutCause(ctx, prompt, errDialogOpen)
	defer cancel()
	second, err := p.outcome(brief, s, dialog, known)
	if errors.Is(err, errDialogOpen) {
		_, _ = p.confirmDialog(ctx, s, dialog, true) // the dialog may still close without a button
		second, err = p.outcome(ctx, s, dialog, known)
	}
	if err != nil || second.ID == 0 {
		return err
	}
	words, agreed := p.confirmDialog(ctx, s, second, replaces)
	if agreed {
		if second, err = p.outcome(ctx, s, dialog, append(known, second.ID)); err != nil || second.ID == 0 {
			return err
		}
		words, _ = p.confirmDialog(ctx, s, second, false)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return status.Errorf(codes.FailedPrecondition, "the application asks in another dialog: %q; answer it with its elements, or look at it in a screenshot", words)
}

// confirmDialog returns the text of a dialog. If press is set, it also presses the confirming button. It
// waits briefly until the dialog shows the button.
func (p *fileDialogService) confirmDialog(ctx context.Context, s *screen, dialog x11.Window, press bool) (words string, agreed bool) {
	ctx, cancel := context.WithTimeoutCause(ctx, prompt, errDialogOpen)
	defer cancel()
	if p.elements.checkOperable(ctx, dialog.PID) != nil {
		return dialog.Title, false
	}
	_ = s.desktop.Await(ctx, func() (bool, error) { // on an error, the dialog has no such button
		t, nodes, err := p.elements.find(ctx, resourcename.Window(dialog.PID, dialog.ID), atspi.Query{Visible: true})
		if err != nil {
			return false, nil
		}
		words = strings.Join(t.Words(nodes), " ")
		if !press {
			return true, nil
		}
		bus, err := p.c.elements(ctx)
		if err != nil {
			return false, err
		}
		if target, ok := bus.Target(t.ConfirmButton(nodes)); ok {
			_, err := bus.Act(ctx, target, atspi.Expect{}, "press")
			agreed = !atspi.NotPerformed(err) // pressing again may answer a different question
		}
		return agreed, nil
	})
	return cmp.Or(words, dialog.Title, "a dialog without words"), agreed
}

// outcome waits until a dialog closes, or until the application shows another dialog, which it returns.
func (p *fileDialogService) outcome(ctx context.Context, s *screen, dialog x11.Window, known []uint32) (second x11.Window, err error) {
	err = s.desktop.Await(ctx, func() (bool, error) {
		all, err := s.dialogs(dialog.PID)
		for _, w := range all {
			if !slices.Contains(known, w.ID) {
				second = w
			}
		}
		return second.ID != 0 || err == nil && !slices.ContainsFunc(all, func(w x11.Window) bool { return w.ID == dialog.ID }), err
	})
	return second, err
}

// dialogs lists the dialogs of an application.
func (s *screen) dialogs(pid int) (list []x11.Window, err error) {
	all, err := s.desktop.Windows()
	for _, w := range all {
		if w.PID == pid && w.Visible() && (w.Type == "dialog" || w.Transient != 0) {
			list = append(list, w)
		}
	}
	return list, err
}
