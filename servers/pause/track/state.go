// Package track follows dialogs from the request to the end (seed 004, "State Management" and
// "Monitoring and Metrics"). It owns the states of a dialog, the bounded history of requests and
// their statistics. It must not know the question of a dialog, or how to show it.
package track

import "fmt"

// A State is the state of a dialog.
type State string

// These are the states of seed 004. Completed, Failed and Cancelled are terminal.
const (
	Idle       State = "IDLE"       // not requested yet
	Pending    State = "PENDING"    // requested, not shown
	Active     State = "ACTIVE"     // shown
	Responding State = "RESPONDING" // answered, but the caller has not received the answer yet
	Completed  State = "COMPLETED"  // the caller has received the answer
	Failed     State = "ERROR"
	Cancelled  State = "CANCELLED"
)

// Terminal reports whether no event changes the state any more.
func (s State) Terminal() bool { return s == Completed || s == Failed || s == Cancelled }

// An Event moves a dialog to its next state.
type Event string

// These are the events of seed 004.
const (
	Request Event = "REQUEST"
	Display Event = "DISPLAY"
	Answer  Event = "SUBMIT"
	Cancel  Event = "CANCEL"
	Success Event = "SUCCESS"
	Fail    Event = "ERROR"
)

// transitions contains the transitions. The first six are from the seed. The others end a dialog whose
// caller or window disappears before the user answers. Without them such a dialog would never reach
// a terminal state.
var transitions = map[State]map[Event]State{
	Idle:       {Request: Pending},
	Pending:    {Display: Active, Cancel: Cancelled, Fail: Failed},
	Active:     {Answer: Responding, Cancel: Cancelled, Fail: Failed},
	Responding: {Success: Completed, Fail: Failed},
}

// A transitionError means that a state does not allow an event.
type transitionError struct {
	State State
	Event Event
}

// Error implements error.
func (e *transitionError) Error() string {
	return fmt.Sprintf("invalid transition: %s-%s", e.State, e.Event)
}

// Next returns the state after an event, or a [*transitionError].
func Next(s State, e Event) (State, error) {
	if to, ok := transitions[s][e]; ok {
		return to, nil
	}
	return s, &transitionError{s, e}
}
