package models

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"goated/internal/config"
)

// locked returns settings with a service whose key is in a keyring, and a model of that service.
func locked() (config.Settings, config.ModelRef) {
	const service = "https://example.org/v1"
	return config.Settings{}.WithProvider(config.Provider{Name: "x", URL: service, Key: "ref"}), config.ModelRef{Service: service, Name: "m"}
}

// The window asks for the context size while another conversation waits for a keyring that asks for
// its password. The window froze until the keyring answered.
func TestWindowDoesNotWaitForTheKeyring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unlock := make(chan bool)
		s := &Source{Secret: func(string) (string, error) { <-unlock; return "k", nil }}
		m := s.Open(locked())
		ctx, cancel := context.WithCancel(t.Context())
		first, second := ask(ctx, m), ask(t.Context(), m)
		synctest.Wait()
		asked := make(chan bool)
		go func() {
			m.Window()
			m.Ref()
			close(asked)
		}()
		synctest.Wait()
		select {
		case <-asked:
		default:
			t.Error("the window waits for the keyring")
		}
		cancel() // the user presses Stop
		synctest.Wait()
		select {
		case err := <-first:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a stopped request ends with %v", err)
			}
		default:
			t.Error("a stopped request waits for the keyring")
		}
		select {
		case err := <-second:
			t.Errorf("a request does not wait for the keyring: %v", err)
		default:
		}
		waiting, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := <-ask(waiting, m); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a request that waits for another one ends with %v", err)
		}
		close(unlock)
		synctest.Wait()
		if m.made == nil {
			t.Error("the model is not opened with the key")
		}
	})
}

// ask makes a request and discards the answer. The channel receives the error.
func ask(ctx context.Context, m *Model) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := m.open(ctx)
		done <- err
	}()
	return done
}

// The menu of models is complete after ten seconds, regardless of the keyring.
func TestAllWaitsForTheKeyringTenSecondsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unlock := make(chan bool)
		defer close(unlock)
		s := &Source{
			urls:      []local{},
			GeminiKey: func(ctx context.Context) string { <-ctx.Done(); return "" },
			Secret:    func(string) (string, error) { <-unlock; return "", nil },
		}
		settings, chosen := locked()
		began := time.Now()
		s.All(t.Context(), settings, chosen)
		if d := time.Since(began); d > listTime {
			t.Errorf("it takes %s", d)
		}
		began = time.Now()
		s.Gemini(t.Context(), settings)
		if d := time.Since(began); d > listTime {
			t.Errorf("Gemini's list takes %s", d)
		}
	})
}
