package main

import (
	"slices"
	"strings"

	"goated/client"
	"goated/internal/config"
)

// withSecrets returns the configuration c of a saved server with the values of its secrets from the
// keyring. The host does not start it without those that cannot be loaded.
func (a *app) withSecrets(c client.Config, l config.Launch) client.Config {
	filled, missing := config.NewSecrets(serverSecrets(a.log)).Fill(slices.Concat(l.Env, l.Headers))
	c.Env, c.Headers = config.Environ(filled[:len(l.Env)]), config.Environ(filled[len(l.Env):])
	for _, m := range missing {
		c.Missing.Names, c.Missing.Err = append(c.Missing.Names, m.Name), m.Err
	}
	return c
}

// keepAll keeps the secrets of an environment out of the log.
func (l *logFile) keepAll(env []string) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if (config.Variable{Name: name, Value: value}).Secret() {
			l.keep(value)
		}
	}
}
