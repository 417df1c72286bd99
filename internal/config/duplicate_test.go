package config_test

import (
	"testing"

	"goated/internal/config"
)

// FindDuplicate finds a server that the user adds again. A server with other headers or variables is a
// different one, for example with a second account.
func TestFindDuplicate(t *testing.T) {
	value := func(name, value string) []config.Variable { return []config.Variable{{Name: name, Value: value}} }
	saved := config.Settings{Launch: []config.Launch{
		{URL: "https://mcp.test/", Name: "open"},
		{Command: "npx", Args: []string{"-y", "notes"}, Name: "notes", Env: []config.Variable{{Name: "API_KEY", Ref: "notes/API_KEY"}}},
		{Command: "npx", Args: []string{"-y", "files"}, Name: "files", Env: value("ROOT", "/a")},
	}}
	for _, tt := range []struct {
		name string
		l    config.Launch
		want string
	}{
		{"the same address", config.Launch{URL: "https://mcp.test/"}, "open"},
		{"with a header", config.Launch{URL: "https://mcp.test/", Headers: value("X-Api-Key", "k1")}, ""},
		{"a key that the keyring has", config.Launch{Command: "npx", Args: []string{"-y", "notes"}, Env: value("API_KEY", "k")}, "notes"},
		{"the same variable", config.Launch{Command: "npx", Args: []string{"-y", "files"}, Env: value("ROOT", "/a")}, "files"},
		{"another value", config.Launch{Command: "npx", Args: []string{"-y", "files"}, Env: value("ROOT", "/b")}, ""},
		{"a value for which goated asked", config.Launch{Command: "npx", Args: []string{"-y", "files"}}, "files"},
	} {
		if got, _ := config.FindDuplicate(saved, tt.l, false); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
