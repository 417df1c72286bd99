package main

import (
	"testing"

	"goated/internal/geminitest"
)

// galleryPause takes a planner in a conversation.
func galleryPause(t *testing.T, theme string) {
	p := galleryPlace(t)
	s := p.gemini()
	option := func(label, value, description string) map[string]any {
		return map[string]any{"label": label, "value": value, "description": description}
	}
	s.Script(geminitest.Turn(geminitest.Call("pause__planner", map[string]any{
		"decision_context": "Which part should come first?",
		"visual_output":    "The app must work without a network. The store and the screens can be built in either order.",
		"plan":             "1. Keep trips in `sqlite`, one file per trip\n2. Queue changes while offline\n3. Send the queue when the network is back\n\n**Risk:** two devices can change the same trip.",
		"options": []any{option("Store first", "store", "Safest. Nothing to see for two days."), option("Screens first", "screens", "You can try it today, with made-up data."),
			option("One trip, end to end", "trip", "Thin, but complete.")},
	}), geminitest.Usage(1530, 140, 0)), geminitest.Turn(geminitest.Text("I stop here."), geminitest.Usage(1600, 9, 0)))
	g := openGallery(t, p, `{"welcomed":true,"theme":"`+theme+`"}`, "--with", "pause")
	g.say("Add the offline mode. Ask me about the order.")
	g.until("the model was asked", func() bool { return len(s.Requests()) > 0 })
	g.toastless() // the dialog has come by then
	g.press("2")
	g.take("pause-" + theme)
	g.press("Escape")
	g.turn(1)
	g.close()
	s.Done()
}
