// Package trial calls a tool with the values of a form, and shows the result and the server's
// description of the tool.
//
// It owns the running call and the objects that show it. It must not depend on the page around
// them.
package trial

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/errtext"
	"goated/internal/safetext"
	"goated/registry"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/result"
	"goated/ui/shell"
	"goated/ui/view"
	"goated/ui/view/format"
)

// Options are the functions and objects of the page that a trial uses. All functions except Call
// run on the UI goroutine.
type Options struct {
	Form  *form.Form
	Title string                // the title of the tool
	Entry func() registry.Entry // returns the tool as the page shows it
	Call  func(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error)

	Results result.Host // passed to the parts of a result
	Body    *kit.Scroll // scrolls the form and the outcome
	Refit   func()      // lays out the page again
	Open    func() bool // reports whether the page of the tool is open
	InSight func() bool // reports whether that page is visible
}

// A Trial calls a tool. Its fields and methods belong to the UI goroutine.
type Trial struct {
	Form    *form.Form
	Foot    *fyne.Container // the warning of the form, the button, and the state of the call; stays visible below the form and a long result
	Run     *kit.Button
	Outcome *fyne.Container // the result of the last call

	sh     *shell.Shell
	o      Options
	spin   *kit.Spinner
	status *kit.Label
	quiet  time.Time // a press shortly after this time does not begin a call
	running
}

// running is the state of the running call.
type running struct {
	stop     context.CancelFunc // nil if no call is running
	began    time.Time
	progress atomic.Pointer[mcp.ProgressNotificationParams] // the latest notification
}

// New returns a trial that has not called anything. Enter in the last field of the form calls the
// tool, and so does Ctrl+Enter in any field.
func New(sh *shell.Shell, o Options) *Trial {
	r := &Trial{sh: sh, o: o, spin: kit.NewSpinner(sh.Clock), status: kit.NewLabel("", 13, kit.ColorMuted).Elided(), Outcome: kit.Vertical(8), quiet: sh.Now()}
	r.Run = kit.NewButton(kit.Primary, "play", "Run", r.press).Keyed("Ctrl+Enter")
	r.Foot = kit.Vertical(8, o.Form.Warning, kit.Horizontal(10, r.status, r.Run, r.spin, r.status))
	r.spin.OnTurn, r.spin.Unseen = r.tell, func() bool { return !o.Open() || !o.InSight() }
	r.Use(o.Form)
	return r
}

// Use replaces the form, because the tool has changed. A running call continues.
func (r *Trial) Use(f *form.Form) {
	r.Form, r.Foot.Objects[0], f.OnSubmit = f, f.Warning, r.Submit
}

// Running reports whether a call is running.
func (r *Trial) Running() bool { return r.stop != nil }

// press runs the tool, or stops the running call. It ignores the second press of the double click
// that began the call.
func (r *Trial) press() {
	switch {
	case r.stop == nil:
		r.Submit()
	case r.sh.Now().Sub(r.began) >= shell.GuardTime:
		r.stop()
	}
}

// Submit runs the tool, unless a call is running.
func (r *Trial) Submit() {
	if r.stop == nil && r.counts() {
		r.call()
	}
}

// counts reports whether a press may begin a call now. It rejects the second press of a double
// click and the repeats of a key that is held down. It also rejects a press just after a call has
// ended, because that press was meant to stop the call.
func (r *Trial) counts() bool {
	last := r.quiet
	r.quiet = r.sh.Now()
	return r.quiet.Sub(last) >= shell.GuardTime
}

// call calls the tool without a question. The user sees the effect and the arguments, and the
// press is the answer for this one call; see docs/adr/0016. If the tool is no longer the one on
// the page, the host refuses the call.
func (r *Trial) call() {
	args, ok := r.Form.Submit()
	if !ok {
		return
	}
	r.Form.Sent()
	e := r.o.Entry()
	ctx, stop := context.WithCancel(r.sh.Ctx)
	r.stop, r.began = stop, r.sh.Now()
	r.progress.Store(nil)
	r.Run.SetText("Stop")
	r.Run.SetIcon("stop")
	r.Run.SetBadge("Esc")
	r.spin.SetRunning(true)
	r.tell()
	r.o.Refit()
	r.sh.Go(func() {
		defer stop()
		began := time.Now()
		got, err := r.o.Call(ctx, e, args, r.progress.Store)
		took := time.Since(began)
		var parts []view.Part
		if got != nil {
			parts = view.Card{Content: view.NewResult(got), Result: view.FormatResult(got)}.Parts()
		}
		r.sh.Post(func() { r.ended(parts, took, err) })
	})
}

// tell shows how long the call has been running, and its progress.
func (r *Trial) tell() {
	words := []string{"Running…", format.Duration(r.sh.Now().Sub(r.began).Truncate(time.Second))}
	if p := r.progress.Load(); p != nil {
		words = append(words, view.ProgressText(p.Progress, p.Total), safetext.OneLine(safetext.Cut(p.Message, 200)))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	r.status.Set(strings.Join(words, " · "))
}

// Stop stops the running call. It reports whether there was one.
func (r *Trial) Stop() bool {
	if r.stop == nil {
		return false
	}
	r.stop()
	return true
}

// ended shows the outcome of a call.
func (r *Trial) ended(parts []view.Part, took time.Duration, err error) {
	r.quiet, r.stop = r.sh.Now(), nil
	r.Run.SetText("Run")
	r.Run.SetIcon("play")
	r.Run.SetBadge("Ctrl+Enter")
	r.spin.SetRunning(false)
	r.show(parts, took, err)
	r.o.Refit()
	switch open := r.o.Open(); {
	case open && r.o.InSight():
		r.reveal()
	case !open && err == nil:
		r.sh.Toasts.Say("check", r.o.Title+" returned after "+format.Duration(took))
	case !open && !errors.Is(err, context.Canceled):
		r.sh.Toasts.Say("alert", r.o.Title+" failed: "+errtext.PlainSentence(err))
	}
}

// above is how much of the form stays visible above a long result.
const above = 96

// reveal scrolls until the result is visible. For a long result it shows the beginning, below the
// end of the form.
func (r *Trial) reveal() {
	body := r.o.Body
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(r.Outcome).Y - driver.AbsolutePositionForObject(body).Y
	by := min(top+r.Outcome.Size().Height+12-body.Size().Height, top-above)
	if by > 0 || top < 0 {
		body.ScrollToOffset(fyne.NewPos(0, max(body.Offset.Y+by, 0)))
	}
}

// show shows the result of a call in the same way as a card of a conversation.
func (r *Trial) show(parts []view.Part, took time.Duration, err error) {
	r.Outcome.Objects = nil
	switch {
	case errors.Is(err, context.Canceled):
		r.status.Set("Stopped after " + format.Duration(took))
		return
	case err != nil:
		r.status.Set("Failed after " + format.Duration(took))
		words := kit.NewText(errtext.PlainSentence(err), 13, 20, kit.ColorBad)
		r.Outcome.Add(container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 15, kit.ColorBad)), words))
	default:
		r.status.Set("Returned after " + format.Duration(took))
		if len(parts) == 0 {
			r.Outcome.Add(kit.NewText("The tool returned nothing.", 13, 20, kit.ColorMuted))
		}
	}
	for _, p := range parts {
		o, _ := result.Draw(p, r.o.Results)
		r.Outcome.Add(o)
	}
}
