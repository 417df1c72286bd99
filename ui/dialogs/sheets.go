package dialogs

import (
	"cmp"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/internal/safetext"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A Sheet shows the first question of a queue, or the one that the user chose. It belongs to
// the UI goroutine.
type Sheet struct {
	*shell.Shell
	Dialogs *Queue
	Asked   *openQuestion // the shown question; nil if there is none
	pause   pause
	drawn   map[*queued]*openQuestion // the waiting questions that were shown before, with the user's input
	busy    func() bool               // reports whether the user is at a question that they chose instead; may be nil
}

// A pause delays a question until the user pauses typing.
type pause struct {
	beat *kit.Ticker // nil if no question waits
	text string      // the content of the field at the last beat
	over bool        // the user has stopped typing
}

// pauseBeats is how many beats without a change count as a pause.
const pauseBeats = 10

// typing reports whether the user may be typing. That is the case if the focused field contains
// text. A sheet would take the focus away in the middle of typing. Sync runs again when the user
// pauses.
func (s *Sheet) typing() bool {
	text := func() string {
		if in, ok := s.Sheets.Window.Canvas().Focused().(*kit.Input); ok {
			return in.Text
		}
		return ""
	}
	p := &s.pause
	if p.over || text() == "" {
		return false
	}
	if p.text = text(); p.beat == nil {
		p.beat = s.Clock.Add(pauseBeats, func() {
			if now := text(); now != p.text && now != "" {
				p.text = now
				return
			}
			s.resume()
			p.over = true
			s.Sync()
			p.over = false
		})
	}
	return true
}

// resume stops waiting for a pause.
func (s *Sheet) resume() {
	if s.pause.beat != nil {
		s.Clock.Remove(s.pause.beat)
		s.pause.beat = nil
	}
}

// An openQuestion is the sheet of one question.
type openQuestion struct {
	*kit.Sheet
	q      *queued
	count  *shell.Counter
	opened time.Time // when it last appeared on the screen
}

// Sync shows the first question of the queue, if it is not on the screen yet.
func (s *Sheet) Sync() {
	s.forget()
	if s.busy != nil && !s.busy() {
		s.busy = nil
		s.Dialogs.putBehind(false)
	}
	var shown *queued
	if s.Asked != nil {
		shown = s.Asked.q
	}
	q := s.Dialogs.first(shown)
	if s.Asked != nil {
		if s.Asked.q == q {
			return
		}
		s.leave()
	}
	if q == nil || s.Ctx.Err() != nil {
		s.resume()
		return
	}
	if s.Waiting.IsOpen() || s.typing() { // the user is about to choose one
		return
	}
	s.show(q)
}

// forget drops the sheets of questions that no longer wait.
func (s *Sheet) forget() {
	waiting := append(s.Dialogs.list(false, s.Now()), s.Dialogs.list(true, s.Now())...)
	for q := range s.drawn {
		if !slices.Contains(waiting, q) {
			delete(s.drawn, q)
		}
	}
}

// leave removes the shown sheet.
func (s *Sheet) leave() {
	if s.Asked != nil {
		s.Sheets.Shut(s.Asked.Sheet)
		s.Asked = nil
	}
}

// show puts a question on the screen, with the input that the user has already entered there.
func (s *Sheet) show(q *queued) {
	s.resume()
	o := s.drawn[q]
	if o != nil {
		if q.Again != nil {
			q.Again()
		}
	} else {
		o = &openQuestion{q: q, count: s.NewCounter()}
		o.Sheet = q.Draw(s.Shell, o.count, func(a any) { s.answer(o, a) })
		if s.drawn == nil {
			s.drawn = make(map[*queued]*openQuestion)
		}
		s.drawn[q] = o
	}
	o.opened = s.Now()
	s.Asked = o
	s.Sheets.Open(o.Sheet)
}

// answer accepts the answer of a sheet, unless the user cannot have read the sheet yet.
func (s *Sheet) answer(o *openQuestion, a any) {
	if s.Asked != o || s.Now().Sub(o.opened) < o.q.Guard {
		return
	}
	if visit, ok := a.(func() any); ok {
		if a = visit(); a == nil {
			return
		}
	}
	s.Dialogs.resolve(o.q, a)
}

// Entries returns the entries for the list of waiting questions.
func (s *Sheet) Entries() []shell.Entry { return s.entries(false) }

// Deferred returns the entries of the deferred questions, for a list.
func (s *Sheet) Deferred() []shell.Entry { return s.entries(true) }

func (s *Sheet) entries(deferred bool) (all []shell.Entry) {
	for _, q := range s.Dialogs.list(deferred, s.Now()) {
		e := q.Listed
		e.ID, e.Since = q, q.since
		e.Front = s.Asked != nil && s.Asked.q == q
		if o := s.drawn[q]; o != nil {
			e.Count = o.count
		}
		e.Choose = func() { s.choose(q) }
		all = append(all, e)
	}
	return all
}

// choose shows a question instead of the current one.
func (s *Sheet) choose(q *queued) {
	if !s.Dialogs.call(q) || s.Ctx.Err() != nil || s.Asked != nil && s.Asked.q == q {
		return
	}
	s.leave()
	s.show(q)
	s.Waiting.OnChange()
}

// PutAside hides the questions in favour of a question in a conversation, as long as busy returns
// true.
func (s *Sheet) PutAside(busy func() bool) {
	s.busy = busy
	s.Dialogs.putBehind(true)
	s.leave()
}

// argumentsOf returns the question that asks for a tool's arguments.
func argumentsOf(q agent.Question) shell.Question {
	listed := shell.Entry{Icon: "message", Who: "Arguments for " + safetext.Name(q.Tool), What: safetext.Cut(safetext.OneLine(cmp.Or(q.Description, q.Tool)), shell.MaxWhat)}
	return shell.Question{Guard: shell.GuardTime, Listed: listed, Draw: func(sh *shell.Shell, count *shell.Counter, answer func(any)) *kit.Sheet {
		switch len(q.Choices) {
		case 0:
		case 1:
			return newOnly(q.Choices[0], count, answer)
		default:
			return newChoice(q, count, answer)
		}
		return newArguments(sh, q, count, answer)
	}}
}

// longChoice is the maximal length of a tool's name, in characters, that fits beside the button
// in a narrow window.
const longChoice = 40

// newChoice draws a button for each tool that a question offers. It focuses None first, so that
// an accidental key press runs nothing.
func newChoice(q agent.Question, count *shell.Counter, answer func(any)) *kit.Sheet {
	var buttons []fyne.CanvasObject
	for _, c := range q.Choices {
		button := kit.NewButton(kit.Outline, "", safetext.Name(c.Label), func() { answer(map[string]any{"tool": c.Value}) })
		from := kit.NewLabel(safetext.Name(c.Detail), 12, kit.ColorFaint).Elided()
		row := kit.Horizontal(10, from, button, from)
		if utf8.RuneCountInString(button.Text) > longChoice {
			row = kit.Vertical(4, container.New(kit.Flow{Min: button.MinSize()}, button), from)
		}
		buttons = append(buttons, row)
	}
	none := kit.NewButton(kit.Outline, "", "None of these", func() { answer(nil) })
	buttons = append(buttons, safe("None of these"))
	s := kit.NewSheet(560, q.Description, kit.Vertical(10, buttons...), shell.Foot(count, none))
	s.First = none
	s.OnClose = func() { answer(nil) }
	return s
}

// newOnly asks about the only tool that may fit. It focuses No first, as [newChoice] focuses
// None.
func newOnly(c agent.Choice, count *shell.Counter, answer func(any)) *kit.Sheet {
	no := kit.NewButton(kit.Outline, "", "No", func() { answer(nil) })
	yes := kit.NewButton(kit.Primary, "check", "Yes, use it", func() { answer(map[string]any{"tool": c.Value}) })
	s := kit.NewSheet(560, fmt.Sprintf("Did you mean %s?", safetext.Name(c.Label)),
		kit.Vertical(10, kit.Facts("Tool", safetext.Name(c.Detail)), safe("No")), shell.Foot(count, no, yes))
	s.First = no
	s.OnClose = func() { answer(nil) }
	return s
}

// safe explains why the focused button is the one that runs nothing.
func safe(button string) fyne.CanvasObject {
	return kit.NewText(fmt.Sprintf("The focus is on “%s”, so a key that you press by accident runs nothing.", button), 12, 18, kit.ColorMuted)
}

// newArguments draws the form for a tool's arguments.
func newArguments(sh *shell.Shell, q agent.Question, count *shell.Counter, answer func(any)) *kit.Sheet {
	known := make(map[string]any, len(q.Args))
	for k, v := range q.Args {
		known[k] = v
	}
	lead := []fyne.CanvasObject{kit.NewLabel("goated sends these arguments to "+safetext.Name(q.Tool)+" of "+safetext.Name(q.Server)+".", 12, kit.ColorMuted).Elided()}
	if q.Description != "" {
		lead = append([]fyne.CanvasObject{kit.NewText(q.Description, 14, 21, kit.ColorMuted)}, lead...)
	}
	f := form.New(sh, q.Schema, known, lead)
	submit := func() {
		if args, ok := f.Submit(); ok {
			answer(args)
		}
	}
	f.OnSubmit = submit
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { answer(nil) })
	s := kit.NewSheet(560, fmt.Sprintf("Arguments for %s", q.Tool), f.Root, kit.Vertical(8, f.Warning, shell.Foot(count, cancel,
		kit.NewButton(kit.Primary, "", "Submit", submit))))
	f.Sheet, s.First = s, f.First(cancel)
	s.OnClose = func() {
		if f.Leave() {
			answer(nil)
		}
	}
	return s
}
