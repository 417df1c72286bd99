package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"goated/internal/config"
	"goated/internal/modelkey"

	"github.com/zalando/go-keyring"
)

// These identify the keyring entry.
const (
	keyService = "goated"
	keyUser    = "gemini-api-key"
)

// keyringWait is how long goated waits for a keyring. A locked one may ask the user, and a broken
// one may never answer.
const keyringWait = 5 * time.Second

// findKey finds the Gemini key in GEMINI_API_KEY, in GOOGLE_API_KEY, or in the system's keyring.
// from is where it was found. Both are empty if there is no key.
func findKey(ctx context.Context) (key, from string) {
	if key, from = modelkey.EnvironmentKey(); key != "" {
		return key, from
	}
	got := make(chan string, 1)
	err := withKeyring(ctx, func() error {
		key, err := keyring.Get(keyService, keyUser)
		got <- key
		return err
	})
	if err != nil {
		return "", ""
	}
	if key = modelkey.CleanKey(<-got); key == "" {
		return "", ""
	}
	return key, "keyring"
}

// anyKey returns findKey as a function, for callers that may block.
func anyKey(ctx context.Context) func() (key, from string) {
	return func() (key, from string) { return findKey(ctx) }
}

// withKeyring runs do, but returns an error if it takes too long. In that case do continues,
// because it cannot be cancelled, but nothing reads its result.
func withKeyring(ctx context.Context, do func() error) error {
	if !sessionBus() {
		return errors.New("the keyring does not answer")
	}
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(keyringWait):
		return errors.New("the keyring does not answer")
	}
}

// sessionBus reports whether there is a bus on which a keyring could answer. If there is none, the
// library would start a bus and leave it running.
func sessionBus() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus"))
	return err == nil && os.Getenv("XDG_RUNTIME_DIR") != ""
}

func saveKey(key string) error {
	if err := withKeyring(context.Background(), func() error { return keyring.Set(keyService, keyUser, modelkey.CleanKey(key)) }); err != nil {
		return fmt.Errorf("saving the key in the system's keyring: %w. You can set GEMINI_API_KEY instead", err)
	}
	return nil
}

// serverSecrets returns the keyring for the servers' secrets. The log hides their values.
func serverSecrets(log *logFile) *config.Keyring {
	ask := func(do func() error) error { return withKeyring(context.Background(), do) }
	return &config.Keyring{
		Save: func(ref, value string) error {
			log.keep(value)
			return ask(func() error { return keyring.Set(keyService, ref, value) })
		},
		Load: func(ref string) (string, error) {
			found := make(chan string, 1) // buffered, because nothing may read it after a timeout
			err := ask(func() error {
				value, err := keyring.Get(keyService, ref)
				found <- value
				if errors.Is(err, keyring.ErrNotFound) {
					return config.ErrNoSecret
				}
				return err
			})
			if err != nil {
				return "", err
			}
			value := <-found
			log.keep(value)
			return value, nil
		},
		Clear: func(ref string) error {
			err := ask(func() error { return keyring.Delete(keyService, ref) })
			if errors.Is(err, keyring.ErrNotFound) {
				return nil // there is no secret, for example because the user never signed in
			}
			return err
		},
	}
}

func deleteKey() error {
	err := withKeyring(context.Background(), func() error { return keyring.Delete(keyService, keyUser) })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("deleting the key from the system's keyring: %w", err)
	}
	return nil
}
