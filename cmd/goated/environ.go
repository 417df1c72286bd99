package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/config"
)

// launchEnv returns the environment of a server that the settings start, with
// its secrets from the keyring. The error names each secret that cannot be loaded;
// the environment is then without it.
func (a *app) launchEnv(list []config.Variable) ([]string, error) {
	env, missing := config.NewSecrets(serverSecrets(a.log)).Fill(list)
	var failed error
	for _, m := range missing {
		failed = errors.Join(failed, fmt.Errorf("the value of %s can't be read: %w. Connect the server again in the window to enter it", m.Name, m.Err))
	}
	env = slices.DeleteFunc(env, func(v config.Variable) bool { return v.Ref != "" && v.Value == "" })
	return config.Environ(env), failed
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
