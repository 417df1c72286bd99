package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"goated/internal/config"
)

// environ are the variables of --env, as NAME=value. A name without a value takes
// goated's own value, so that a secret need not be part of a command.
func (o *options) environ() ([]string, error) {
	var out []string
	for _, word := range o.env {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			if value, ok = os.LookupEnv(name); !ok {
				return nil, fmt.Errorf("--env %s: goated has no such variable; write --env %s=value", name, name)
			}
		}
		v := config.Variable{Name: name, Value: value}
		if err := v.Check(); err != nil {
			return nil, fmt.Errorf("--env %s: %w", name, err)
		}
		out = append(out, v.String())
	}
	return out, nil
}

// launchEnv returns the environment of a server that the settings start, with
// its secrets from the keyring. The error names each secret that can't be loaded;
// the environment is then without it.
func (a *app) launchEnv(l config.Launch) ([]string, error) {
	env, missing := config.NewSecrets(serverSecrets(a.log)).Fill(l.Env)
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
