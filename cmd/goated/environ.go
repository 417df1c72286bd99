package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"goated/internal/config"
)

// environ are the variables of --env, as NAME=value. A name alone has the value
// that goated itself was given, so that a secret need not be in a command.
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

// launchEnv is the environment of a server that the settings start, with the
// secrets that the keyring has, which the log does not get. The error says what it
// has not; the server may do without.
func (a *app) launchEnv(l config.Launch) ([]string, error) {
	env := slices.Clone(l.Env)
	errs := make([]error, len(env))
	var asked sync.WaitGroup
	for i, v := range env {
		if v.Ref == "" {
			continue
		}
		asked.Go(func() { // all at once: one that does not answer is waited for once
			value, err := secret(v.Ref)
			if err != nil {
				errs[i] = fmt.Errorf("the value of %s is not to be had: %w. Connect it again in the window to enter it", v.Name, err)
			}
			a.log.keep(value)
			env[i].Value = value
		})
	}
	asked.Wait()
	failed := errors.Join(errs...)
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
