package config_test

import (
	"fmt"

	"goated/internal/config"
)

func ExampleSplit() {
	words, err := config.Split(`--root "My files" --name=it\'s $HOME`)
	fmt.Printf("%q %v\n", words, err)
	// Output: ["--root" "My files" "--name=it's" "$HOME"] <nil>
}

func ExampleSettings_WithRecent() {
	var s config.Settings
	s = s.WithRecent(config.Launch{Path: "/srv/a.py"})
	s = s.WithRecent(config.Launch{Path: "/srv/b.py"})
	for _, l := range s.Recent {
		fmt.Println(l.Path)
	}
	// Output:
	// /srv/b.py
	// /srv/a.py
}
