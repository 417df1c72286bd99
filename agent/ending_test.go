package agent

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// Each ending of an answer has its rule. No call of an unusable answer runs, and the conversation
// can go on afterwards.
func TestEndings(t *testing.T) {
	call := geminitest.Call("box__x", map[string]any{"n": 1})
	text := geminitest.Text("Half an ")
	with := func(reason genai.FinishReason, parts ...geminitest.Reply) geminitest.Reply {
		return geminitest.Turn(append(parts, geminitest.Finish(reason))...)
	}
	thoughts := geminitest.Thought("Hm.")
	cut := geminitest.Unfinished()
	for _, tt := range []struct {
		name   string
		reply  geminitest.Reply // sent again and again
		kind   FailureKind      // of the failure; "" if the turn ends otherwise
		reason Reason
		asked  int // requests
	}{
		{"malformed call", with("MALFORMED_FUNCTION_CALL", text), CallBroken, "", 3},
		{"malformed call with a call", with("MALFORMED_FUNCTION_CALL", call), CallBroken, "", 3},
		{"unexpected call", with("UNEXPECTED_TOOL_CALL", call), CallBroken, "", 3},
		{"too many calls", with("TOO_MANY_TOOL_CALLS", call), CallsTooMany, "", 3},
		{"call without a name", geminitest.Parts(&genai.Part{FunctionCall: &genai.FunctionCall{ID: "a"}}), CallBroken, "", 3},
		{"output limit", with("MAX_TOKENS", text), "", Truncated, 1},
		{"output limit with a call", with("MAX_TOKENS", text, call), "", Truncated, 1},
		{"safety", with("SAFETY", text), "", Blocked, 1},
		{"recitation", with("RECITATION", text, call), "", Blocked, 1},
		{"a reason of tomorrow", with("NEW_REASON", call), "", Blocked, 1},
		{"empty", geminitest.Turn(), AnswerEmpty, "", 3},
		{"blank", geminitest.Text(" \n"), AnswerEmpty, "", 3},
		{"only thoughts", thoughts, OnlyThoughts, "", 3},
		{"thoughts and a signature", geminitest.Turn(thoughts, geminitest.TrailingSignature()), OnlyThoughts, "", 3},
		{"cut in a text", geminitest.Turn(text, cut), AnswerCut, "", 1},
		{"cut after a call", geminitest.Turn(call, cut), AnswerCut, "", 3},
		{"cut at once", cut, AnswerCut, "", 3},
		{"blocked prompt", geminitest.Blocked("SAFETY"), "", Blocked, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := geminitest.New(t)
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				if strings.Contains(string(r.Body), "go on") {
					return geminitest.Text("Fine.")
				}
				return tt.reply
			})
			box := tools(echo, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), conversationState: conversationState{pause: time.Millisecond}}
			events, err := collect(t.Context(), session, "begin")
			if kindOfFailure(err) != tt.kind || (err == nil) != (tt.kind == "") {
				t.Fatalf("the error is %v, want the kind %q", err, tt.kind)
			}
			if ends := only[TurnEnded](events); err == nil && (len(ends) != 1 || ends[0].Reason != tt.reason) {
				t.Errorf("it ends with %+v", ends)
			}
			if n := len(s.Requests()); n != tt.asked || len(only[AnswerDiscarded](events)) != tt.asked-1 {
				t.Errorf("%d requests, %d answers discarded", n, len(only[AnswerDiscarded](events)))
			}
			if len(box.Calls) > 0 {
				t.Errorf("a call ran: %v", box.Calls)
			}
			events, err = collect(t.Context(), session, "go on")
			if err != nil || answerOf(events) != "Fine." {
				t.Errorf("then %q, %v", answerOf(events), err)
			}
			last := s.Requests()[len(s.Requests())-1]
			if blocked := strings.Contains(string(last.Body), "begin"); blocked == (tt.name == "blocked prompt") {
				t.Errorf("the next request is %s", last.Body)
			}
		})
	}
}

// A model that corrects itself after a nudge ends the turn successfully. Neither later requests nor
// the history contain the nudge.
func TestNudge(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Thought("Hm."),
		geminitest.Call("box__x", nil),
		geminitest.Turn(geminitest.Text("I c"), geminitest.Finish("MALFORMED_FUNCTION_CALL")),
		geminitest.Text("Done."),
	)
	session := &Session{Model: gemini(t, s), Tools: tools(echo, "x"), Approve: each(allowAll), System: "Be brief."}
	events, err := collect(t.Context(), session, "go")
	if err != nil {
		t.Fatal(err)
	}
	if got := only[AnswerDiscarded](events); !slices.Equal(got, []AnswerDiscarded{{OnlyThoughts, "STOP"}, {CallBroken, "MALFORMED_FUNCTION_CALL"}}) {
		t.Errorf("discarded %+v", got)
	}
	for i, nudged := range []bool{false, true, false, true} {
		said := s.Requests()[i].SystemInstruction.Parts[0].Text
		if strings.HasPrefix(said, "Be brief.") == false || strings.Contains(said, "could not be used") != nudged {
			t.Errorf("request %d has the instruction %q", i, said)
		}
	}
	if n := len(session.History()); n != 4 {
		t.Errorf("the history has %d contents", n)
	}
	s.Done()
}

// A stream that stops is ended after the idle time, wherever it stops. A slow stream is not.
func TestSilentStream(t *testing.T) {
	for name, reply := range map[string]geminitest.Reply{
		"at once":      geminitest.Hang(),
		"in a text":    geminitest.Turn(geminitest.Text("Half"), geminitest.Hang()),
		"after a call": geminitest.Turn(geminitest.Call("box__x", nil), geminitest.Hang()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := geminitest.New(t)
			s.Script(reply, geminitest.Text("Here."))
			box := tools(echo, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Idle: time.Second}
			began := time.Now()
			if _, err := collect(t.Context(), session, "go"); kindOfFailure(err) != Silent || time.Since(began) > 10*time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
			if len(box.Calls) > 0 {
				t.Error("a call of the silent answer ran")
			}
			session.Idle = time.Minute
			for _, err := range session.Send(t.Context()) { // again
				if err != nil {
					t.Error(err)
				}
			}
			s.Done()
		})
	}
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Slow(100*time.Millisecond), geminitest.Text("a", "b", "c", "d", "e")))
	session := &Session{Model: gemini(t, s), Tools: tools(echo), Idle: 5 * time.Second}
	if events, err := collect(t.Context(), session, "go"); err != nil || answerOf(events) != "abcde" {
		t.Errorf("a slow stream: %q, %v", answerOf(events), err)
	}
}

// A chunk that arrives twice runs its call once.
func TestRepeatedChunkRunsOnce(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Repeated(), geminitest.Call("box__x", nil)), geminitest.Text("Done."))
	box := tools(echo, "x")
	if _, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll)}, "go"); err != nil || len(box.Calls) != 1 {
		t.Errorf("ran %d times, %v", len(box.Calls), err)
	}
}

// An answer that is cut at any byte runs no call unless it was complete. The history stays valid
// for the next request.
func TestAnswerCutAtEachByte(t *testing.T) {
	whole := func(first geminitest.Reply) geminitest.Reply {
		return geminitest.Turn(first, geminitest.Text("I call. "), geminitest.Call("box__x", map[string]any{"n": 1}))
	}
	step := 29
	if testing.Short() {
		step = 97
	}
	for n := 0; n < 900; n += step {
		for _, fault := range []geminitest.Reply{geminitest.CutAfter(n), geminitest.EndAfter(n)} {
			s := geminitest.New(t)
			cut := true
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				if cut {
					cut = false
					return whole(fault)
				}
				return geminitest.Text("Done.")
			})
			box := tools(echo, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), conversationState: conversationState{pause: time.Millisecond}}
			_, err := collect(t.Context(), session, "go")
			if kind := kindOfFailure(err); err != nil && kind != AnswerCut {
				t.Errorf("cut after %d bytes: %v", n, err)
			}
			if err := geminitest.CheckHistory(session.History()); err != nil {
				t.Errorf("cut after %d bytes: %v", n, err)
			}
			if err != nil && len(box.Calls) > 0 {
				t.Errorf("cut after %d bytes, the call ran", n)
			}
			if _, err := collect(t.Context(), session, "go on"); err != nil {
				t.Errorf("cut after %d bytes, then %v", n, err)
			}
		}
	}
}
