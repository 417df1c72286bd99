// Package trial calls a tool with the values of a form, and shows what it returned and what the server says about it.
//
// It owns the call that runs, and the objects that show it. It must not know the page around them.
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

	"goated/internal/safetext"
	"goated/registry"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/result"
	"goated/ui/shell"
	"goated/ui/view"
)

// Options are what a trial needs of the page around it. All functions but Call run on the UI goroutine.
type Options struct {
	Form  *form.Form
	Title string                // of the tool
	Entry func() registry.Entry // the tool as the page shows it
	Call  func(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error)

	Results result.Host // shows the parts of a result
	Body    *kit.Scroll // scrolls the form and the outcome
	Refit   func()      // lays the page out again
	Open    func() bool // reports whether the page of the tool is open
	InSight func() bool // reports whether it is on the screen
}

// A Trial calls a tool. Its fields and methods belong to the UI goroutine.
type Trial struct {
	Form    *form.Form
	Foot    *fyne.Container // the warning of the form, the button, and how the call goes: stays in sight below the form and a long result
	Run     *kit.Button
	Outcome *fyne.Container // what the last call returned

	sh     *shell.Shell
	o      Options
	spin   *kit.Spinner
	status *kit.Label
	quiet  time.Time // a press begins a call a moment after it
	running
}

// running is the call that runs.
type running struct {
	stop     context.CancelFunc // nil: none runs
	began    time.Time
	progress atomic.Pointer[mcp.ProgressNotificationParams] // the last one
}

// New returns a trial that has called nothing. Enter in the last field of the form and Ctrl+Enter in any call the tool.
func New(sh *shell.Shell, o Options) *Trial {
	r := &Trial{sh: sh, o: o, spin: kit.NewSpinner(sh.Clock), status: kit.NewLabel("", 13, kit.ColorMuted).Elided(), Outcome: kit.Vertical(8), quiet: sh.Now()}
	r.Run = kit.NewButton(kit.Primary, "play", "Run", r.press).Keyed("Ctrl+Enter")
	r.Foot = kit.Vertical(8, o.Form.Warning, kit.Horizontal(10, r.status, r.Run, r.spin, r.status))
	r.spin.OnTurn, r.spin.Unseen = r.tell, func() bool { return !o.Open() || !o.InSight() }
	r.Use(o.Form)
	return r
}

// Use takes the arguments from another form, because the tool has changed. A call that runs goes on.
func (r *Trial) Use(f *form.Form) {
	r.Form, r.Foot.Objects[0], f.OnSubmit = f, f.Warning, r.Submit
}

// Running reports whether a call runs.
func (r *Trial) Running() bool { return r.stop != nil }

// press runs the tool, or stops the call that runs, unless it is the second press of the double click that began the
// call.
func (r *Trial) press() {
	switch {
	case r.stop == nil:
		r.Submit()
	case r.sh.Now().Sub(r.began) >= shell.GuardTime:
		r.stop()
	}
}

// Submit runs the tool, unless a call runs.
func (r *Trial) Submit() {
	if r.stop == nil && r.counts() {
		r.call()
	}
}

// counts reports whether a press begins a call now. The second press of a double click and those of a key that
// is held down do not, nor does a press just after a call has ended, which was to stop it.
func (r *Trial) counts() bool {
	last := r.quiet
	r.quiet = r.sh.Now()
	return r.quiet.Sub(last) >= shell.GuardTime
}

// call calls the tool. It asks nothing: the user has the effect and the arguments in sight, and the
// press is the answer for this one call; see docs/adr/0016. The host refuses the call if the tool is
// not the one on the page any more.
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

// tell says how long the call runs and how far it is.
func (r *Trial) tell() {
	words := []string{"Running…", view.Duration(r.sh.Now().Sub(r.began).Truncate(time.Second))}
	if p := r.progress.Load(); p != nil {
		words = append(words, view.Portion(p.Progress, p.Total), safetext.OneLine(safetext.Cut(p.Message, 200)))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	r.status.Set(strings.Join(words, " · "))
}

// Stop stops the call that runs, and reports whether one does.
func (r *Trial) Stop() bool {
	if r.stop == nil {
		return false
	}
	r.stop()
	return true
}

// ended shows the end of a call.
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
		r.sh.Toasts.Say("check", r.o.Title+" returned after "+view.Duration(took))
	case !open && !errors.Is(err, context.Canceled):
		r.sh.Toasts.Say("alert", r.o.Title+" failed: "+view.PlainSentence(err))
	}
}

// above is how much of the form stays in sight above a long result.
const above = 96

// reveal scrolls until the result is in sight, or the beginning of a long one, with the end of the form
// above it.
func (r *Trial) reveal() {
	body := r.o.Body
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(r.Outcome).Y - driver.AbsolutePositionForObject(body).Y
	by := min(top+r.Outcome.Size().Height+12-body.Size().Height, top-above)
	if by > 0 || top < 0 {
		body.ScrollToOffset(fyne.NewPos(0, max(body.Offset.Y+by, 0)))
	}
}

// show shows what a call returned, as the card of a conversation does.
func (r *Trial) show(parts []view.Part, took time.Duration, err error) {
	r.Outcome.Objects = nil
	switch {
	case errors.Is(err, context.Canceled):
		r.status.Set("Stopped after " + view.Duration(took))
		return
	case err != nil:
		r.status.Set("Failed after " + view.Duration(took))
		words := kit.NewText(view.PlainSentence(err), 13, 20, kit.ColorBad)
		r.Outcome.Add(container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 15, kit.ColorBad)), words))
	default:
		r.status.Set("Returned after " + view.Duration(took))
		if len(parts) == 0 {
			r.Outcome.Add(kit.NewText("The tool returned nothing.", 13, 20, kit.ColorMuted))
		}
	}
	for _, p := range parts {
		o, _ := result.Draw(p, r.o.Results)
		r.Outcome.Add(o)
	}
}
