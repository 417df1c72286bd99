package main

import (
	"testing"

	"goated/internal/geminitest"
)

// galleryDialogs contains the dialogs of pause, each with the keys that the user presses before the
// picture.
var galleryDialogs = []struct {
	name, said, tool string
	args             map[string]any
	keys             []string
}{
	{"pause", "Add the offline mode. Ask me about the order.", "planner", map[string]any{
		"decision_context": "Which part should come first?",
		"visual_output":    "The app must work without a network. The store and the screens can be built in either order.",
		"plan":             "1. Keep trips in `sqlite`, one file per trip\n2. Queue changes while offline\n3. Send the queue when the network is back\n\n**Risk:** two devices can change the same trip.",
		"options":          galleryOptions("Store first", "Safest. Nothing to see for two days.", "Screens first", "You can try it today, with made-up data.", "One trip, end to end", "Thin, but complete."),
	}, []string{"2"}},
	{"pause-text", "Write the welcome of the app.", "text_input", map[string]any{
		"question": "What should the first line say?", "description": "It stands above the **list of trips**, so it should be short.", "placeholder": "Where to next?", "maxLength": 60,
	}, []string{"W", "h", "e", "r", "e", "space", "t", "o", "space", "n", "e", "x", "t"}},
	{"pause-choice", "Choose a database for the trips.", "single_choice", map[string]any{
		"question": "Where should trips be stored?",
		"options":  galleryOptions("SQLite", "One file, no server.", "Plain files", "Easy to read, slow to search.", "A server", "Needs a network."),
	}, []string{"1"}},
	{"pause-choices", "Prepare the release.", "multi_choice", map[string]any{
		"question": "What belongs into this release?", "minSelections": 1, "maxSelections": 3,
		"options": galleryGroups("Ready", "Offline mode", "Export to PDF", "In review", "Shared trips", "Dark theme"),
	}, []string{"1", "4"}},
	{"pause-screenshot", "The map looks wrong.", "screenshot_request", map[string]any{
		"question": "What does the map look like?", "description": "I need the part with the **route**.",
	}, nil},
	{"pause-confirm", "Clean up the old maps.", "confirm", map[string]any{
		"question": "Delete 38 old maps?", "warning": "The maps are deleted for good. They take 1.2 GB.", "isDangerous": true, "yesLabel": "Delete", "noLabel": "Keep",
	}, nil},
}

// galleryOptions makes options from pairs of a label and its description.
func galleryOptions(all ...string) (options []any) {
	for i := 0; i < len(all); i += 2 {
		options = append(options, map[string]any{"label": all[i], "value": all[i], "description": all[i+1]})
	}
	return options
}

// galleryGroups makes options from groups, each with two labels.
func galleryGroups(all ...string) (options []any) {
	for i := 0; i < len(all); i += 3 {
		for _, label := range all[i+1 : i+3] {
			options = append(options, map[string]any{"label": label, "value": label, "group": all[i]})
		}
	}
	return options
}

// galleryPause takes a picture of each dialog, in separate conversations.
func galleryPause(t *testing.T, theme string) {
	p := galleryPlace(t)
	s := p.gemini()
	for _, d := range galleryDialogs {
		s.Script(geminitest.Turn(geminitest.Call("pause__"+d.tool, d.args), geminitest.Usage(1530, 140, 0)), geminitest.Turn(geminitest.Text("I stop here."), geminitest.Usage(1600, 9, 0)))
	}
	g := openGallery(t, p, `{"welcomed":true,"theme":"`+theme+`"}`, "--with", "pause")
	for i, d := range galleryDialogs {
		if i > 0 {
			g.press("ctrl+n")
			g.still()
		}
		g.say(d.said)
		g.until("the model was asked", func() bool { return len(s.Requests()) > 2*i })
		g.toastless() // the dialog has opened by then
		g.press(d.keys...)
		g.take(d.name + "-" + theme)
		g.press("Escape")
		g.turn(1)
	}
	g.close()
	s.Done()
}
