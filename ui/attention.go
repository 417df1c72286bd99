package ui

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"goated/internal/config"
	"goated/internal/notify"
	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/servers/pause/dialogsocket"
	"goated/servers/pause/history"
	"goated/ui/pause"
)

// An attention notifies an absent user of an open dialog, and records the dialog in the
// history. Its methods are safe for concurrent use.
type attention struct {
	mu      sync.Mutex
	prefs   config.Dialogs
	away    bool // another window is in front, or goated's window is hidden
	history *history.History
	notices func(context.Context, notify.Note) (key string, err error) // shows a notification; nil: there are none
	raise   func()                                                     // brings the window to the front
	alert   func(error)
	say     func(text string) // shows a toast; nil: no window
	changed func()            // called after a dialog is added to the history

	// watched reports whether a model works on the user's desktop and could therefore press the
	// button of a notification. If watched is nil, no model does.
	watched func() bool
}

// set changes the fields under the lock.
func (a *attention) set(change func(*attention)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(a)
}

// isQuiet reports whether the user does not want to be disturbed.
func (a *attention) isQuiet() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.prefs.Quiet
}

// isWatched reports whether a model could press the buttons of a notification.
func (a *attention) isWatched() bool {
	a.mu.Lock()
	watched := a.watched
	a.mu.Unlock()
	return watched != nil && watched()
}

// notifier wraps notify so that it does nothing while the settings forbid notifications. It
// returns nil if notify is nil.
func (a *attention) notifier(notify func(title, text string)) func(title, text string) {
	if notify == nil {
		return nil
	}
	return func(title, text string) {
		a.mu.Lock()
		silent := a.prefs.Silent
		a.mu.Unlock()
		if !silent {
			notify(title, text)
		}
	}
}

// askNotifying calls ask and waits for its answer. Meanwhile it notifies an absent user, who may
// answer with a button of the notification. It keeps the dialog in the history. If ask returns
// an error, its answer holds what the user had entered.
func (a *attention) askNotifying(ctx context.Context, caller dialog.Caller, q dialog.Question, ask func(context.Context) (dialog.Answer, error)) (dialog.Answer, error) {
	asked := time.Now()
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	var pressed *dialog.Answer // set before waiting ends
	var note sync.WaitGroup
	a.mu.Lock()
	away := a.away && !a.prefs.Quiet
	show, raise, prefs := a.notices, a.raise, a.prefs
	a.mu.Unlock()
	if away && prefs.Raise && raise != nil {
		raise()
	}
	if away && !prefs.Silent && show != nil {
		note.Go(func() {
			key, err := show(waiting, notice(caller, q, prefs.Sound, !a.isWatched()))
			switch answer, ok := answerOf(q, key); {
			case err != nil: // no notification, but the question itself is on the screen
			case ok && a.isWatched(): // a model began to work after the notification appeared
				if raise != nil {
					raise()
				}
			case ok:
				answer.Time = time.Now().UTC()
				pressed = &answer
				stop()
			case key == notify.Open && raise != nil:
				raise()
			}
		})
	}
	answer, err := ask(waiting)
	stop()
	note.Wait()
	if err != nil && pressed != nil && ctx.Err() == nil {
		answer, err = *pressed, nil
	}
	a.record(history.Record{Kind: q.Kind(), Question: q.Subject(), Caller: caller, Asked: asked, Ended: time.Now()}, q, answer, err)
	return answer, err
}

// record adds a dialog to the history.
func (a *attention) record(r history.Record, q dialog.Question, answer dialog.Answer, err error) {
	a.mu.Lock()
	h, alert, changed := a.history, a.alert, a.changed
	a.mu.Unlock()
	if h == nil || errors.Is(err, errWindowClosed) {
		return
	}
	switch {
	case err != nil:
		r.Outcome, r.Draft = history.Left, history.AnswerText(q, answer, pause.Secret(q))
	case answer.Cancelled:
		r.Outcome = history.Cancelled
	default:
		r.Outcome, r.Answer = history.Answered, history.AnswerText(q, answer, pause.Secret(q))
	}
	if err := h.Add(r); err != nil && alert != nil {
		alert(err)
	}
	if changed != nil {
		changed()
	}
}

// reportClosed tells the user why a dialog closed without an answer.
func (a *attention) reportClosed(caller dialog.Caller, cause error, entered bool) {
	a.mu.Lock()
	say := a.say
	a.mu.Unlock()
	text := safetext.Name(caller.Name)
	switch {
	case say == nil:
		return
	case errors.Is(cause, dialogsocket.ErrCallerLeft):
		text += " has ended, so its question was closed"
	case errors.Is(cause, dialogsocket.ErrCallerMovedOn):
		text += " has asked other questions since, so its oldest one was closed"
	default: // goated is quitting
		return
	}
	if entered {
		text += ". The Questions page keeps what you entered."
	}
	say(text)
}

// maxButtons is the maximum number of answers in a notification.
const maxButtons = 3

// notice returns the notification for a question. If answers is true, a question with few
// answers gets a button for each of them, unless an accidental answer would do harm.
func notice(caller dialog.Caller, q dialog.Question, sound, answers bool) notify.Note {
	n := notify.Note{Title: safetext.Name(caller.Name) + " asks", Text: safetext.Cut(pause.Asked(q), 300), Sound: sound,
		Actions: []notify.Action{{Key: notify.Open, Label: "Open"}}}
	if !answers {
		return n
	}
	for i, label := range answerLabels(q) {
		n.Actions = append(n.Actions, notify.Action{Key: strconv.Itoa(i), Label: safetext.Name(label)})
	}
	return n
}

// answerLabels returns the labels of the answer buttons in a notification.
func answerLabels(q dialog.Question) (labels []string) {
	switch q := q.(type) {
	case *dialog.Confirm:
		if !q.DefaultsToNo() {
			return []string{q.YesLabel, q.NoLabel}
		}
	case *dialog.SingleChoice:
		if len(q.Options) <= maxButtons && !slices.ContainsFunc(q.Options, func(o dialog.Option) bool { return o.Disabled }) {
			for _, o := range q.Options {
				labels = append(labels, o.Label)
			}
		}
	}
	return labels
}

// answerOf returns the answer that a button stands for.
func answerOf(q dialog.Question, key string) (dialog.Answer, bool) {
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || i >= len(answerLabels(q)) {
		return dialog.Answer{}, false
	}
	if c, ok := q.(*dialog.SingleChoice); ok {
		return dialog.Answer{Choice: c.Options[i].Value}, true
	}
	yes := i == 0
	return dialog.Answer{Confirmed: &yes}, true
}
