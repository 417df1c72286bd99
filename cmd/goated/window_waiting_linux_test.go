package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"goated/internal/geminitest"
)

// Three questions of one step wait in the conversation. Their list opens by mouse and closes with
// Esc. The user selects the last one by keyboard and answers it. The first one still contains the
// user's text, and the model gets all three answers. Before that, another client asks
// in the same window, and after that the model asks a dangerous question.
func TestWindowListsTheQuestionsThatWait(t *testing.T) {
	themes := []string{"dark"}
	if os.Getenv("GOATED_LOOK") != "" {
		themes = append(themes, "light") // for its screenshots
	}
	for _, theme := range themes {
		t.Run(theme, func(t *testing.T) {
			p := newPlace(t)
			s := p.gemini()
			ask := func(question string) geminitest.Reply {
				return geminitest.Call("pause__text_input", map[string]any{"question": question})
			}
			s.Script(geminitest.Turn(ask("What is the app called?"), ask("Where do you live?"), ask("Which of the 38 maps that nobody has opened since spring are still needed?")),
				geminitest.Turn(geminitest.Text("Done.")))
			s.Script(dangerousReplies()...)
			d := newDeskOf(t, p, wideScreen, "--with", "pause")
			d.settle(`{"welcomed":true,"theme":"` + theme + `"}`)
			d.open()
			d.answersAnotherClient()
			d.rests()
			d.say("Add the offline mode.")
			d.until("the model was asked", func() bool { return len(s.Requests()) > 0 })
			guard := func() { time.Sleep(800 * time.Millisecond) } // a new question accepts no answer
			// The cards of the calls and the composer have about 125,000 pixels of this colour, the card of
			// the first question has 175,000 more.
			d.until("the first question stands in the conversation", func() bool { return d.shows(lightSurface)+d.shows(darkSurface) > 220_000 })
			guard()
			d.still()
			d.write("Zanz")
			counter := func() { d.click(1100, 373) }
			d.answers("the press on the counter", counter)
			d.keep("waiting-list-" + theme)
			d.sees("Escape")
			d.answers("the press on the counter", counter)
			d.sees("End")
			d.keep("waiting-marked-" + theme)
			d.sees("Return")
			d.write("Lisbon")
			guard()
			d.sees("ctrl+Return")
			d.keep("waiting-back-" + theme)
			d.write("ibar")
			guard()
			d.sees("ctrl+Return")
			d.write("Oslo")
			guard()
			d.insist("ctrl+Return", "the model gets the answers", func() bool { return len(s.Requests()) > 1 })
			body := string(s.Requests()[1].Body)
			for _, answer := range []string{"Zanzibar", "Lisbon", "Oslo"} {
				if !strings.Contains(body, answer) {
					t.Errorf("the model does not get %q: %s", answer, body)
				}
			}
			d.turn(1)
			d.isCareful(2, s)
			d.close()
			s.Done()
		})
	}
}
