package main

import (
	"fmt"
	"slices"
	"strings"

	"goated/client"
	"goated/internal/config"
)

// withSecrets returns the configuration c of a saved server with its secrets from the keyring. If
// some cannot be loaded, the host does not start the server.
func (a *app) withSecrets(c client.Config, l config.Launch) client.Config {
	filled, missing := config.NewSecrets(serverSecrets(a.log)).Fill(slices.Concat(l.Env, l.Headers))
	c.Env, c.Headers = config.Environ(filled[:len(l.Env)]), config.Environ(filled[len(l.Env):])
	for _, m := range missing {
		c.Missing.Names, c.Missing.Err = append(c.Missing.Names, m.Name), m.Err
	}
	return c
}

// withoutMissing lets a server start without the values that cannot be loaded. A terminal that
// cannot ask for them reports them, because the server may need them only for some of its tools.
// The error names the values.
func withoutMissing(c client.Config) (client.Config, error) {
	missing := c.Missing
	if len(missing.Names) == 0 {
		return c, nil
	}
	empty := func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		return value == "" && slices.Contains(missing.Names, name)
	}
	c.Env, c.Headers, c.Missing = slices.DeleteFunc(c.Env, empty), slices.DeleteFunc(c.Headers, empty), client.MissingValues{}
	them := "it"
	if len(missing.Names) > 1 {
		them = "them"
	}
	return c, fmt.Errorf("%w. Start the server in the window to enter %s", &missing, them)
}

// keepAll hides the secrets of an environment in the log.
func (l *logFile) keepAll(env []string) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if (config.Variable{Name: name, Value: value}).Secret() {
			l.keep(value)
		}
	}
}
