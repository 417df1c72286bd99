package main

import (
	"slices"
	"testing"

	"goated/internal/config"
	"goated/internal/launch"
)

// The open window starts the server a little before it applies the edit to its settings.
func TestAServerThatAnEditEnablesHasTheFoldersThatTheUserEntered(t *testing.T) {
	const folder = "input:path.Users.username.Desktop"
	l := config.Launch{Name: "fs", Command: "npx", Args: []string{"fs", launch.Input{ID: folder[len("input:"):]}.Ref()},
		Env: []config.Variable{{Name: folder}}, Off: true}
	e := edit{Verb: "enable", Name: "fs", Dirs: map[string]string{folder: "/home/ada/notes"}}
	before := config.Settings{Launch: []config.Launch{l}}
	after := e.apply(config.Settings{Launch: []config.Launch{l}})
	for _, s := range []config.Settings{before, after} {
		if got, ok := e.enabled(s); !ok || !slices.Equal(got.Args, []string{"fs", "/home/ada/notes"}) || len(got.Env) != 0 {
			t.Errorf("the edit starts %+v, %v", got, ok)
		}
	}
}
