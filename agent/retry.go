package agent

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// The limits of repeated requests.
const (
	maxAttempts   = 3               // requests of one step, if the service is unavailable or unreachable
	maxLimited    = 5               // the same, for a rate limit without a delay; the delays add up to about a minute
	maxBusy       = 6               // the same, while the service is overloaded or loading the model
	maxRetryDelay = 5 * time.Minute // a longer delay ends the turn, and the user decides
	maxBusyFactor = 30              // longest delay for a busy service, as a multiple of firstDelay
)

// retryIn returns how long to wait before a failed request is sent again. It reports false if that
// does not help. attempts counts the earlier failed requests of the step, and first is the delay after
// the first one if the service gives none.
func (f *Failure) retryIn(attempts int, first time.Duration) (wait time.Duration, again bool) {
	wait, most := f.RetryAfter, maxAttempts
	switch {
	case wait > maxRetryDelay:
		return 0, false
	case f.Kind == Unavailable && f.Busy:
		most = maxBusy
		if wait == 0 {
			wait = jitter(min(2*first<<attempts, maxBusyFactor*first))
		}
	case f.Kind == RateLimited:
		if wait == 0 {
			wait, most = jitter(5*first<<attempts), maxLimited
		}
	case f.Kind == Unavailable, f.Kind == Unreachable, f.Kind == AnswerCut:
		if wait == 0 {
			wait = jitter(first << attempts)
		}
	default:
		return 0, false
	}
	return wait, attempts+1 < most
}

// waitToRetry reports whether to send a failed request again, and waits before it does. Call it
// only if no text of the answer came, so that the user has read nothing. Calls in a part of an answer
// never run.
func (t *turn) waitToRetry(ctx context.Context, err error) bool {
	var f *Failure
	if !errors.As(err, &f) {
		return false
	}
	delay, again := f.retryIn(t.attempts, firstDelay(t.Session))
	if !again {
		return false
	}
	t.attempts++
	return wait(ctx, delay, f, t.attempts+1, t.emit)
}

// firstDelay returns the first delay if the service gives none.
func firstDelay(s *Session) time.Duration { return cmp.Or(s.pause, time.Second) }

// jitter changes a delay randomly by up to 30 %, so that clients do not retry at the same time.
func jitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.7 + 0.6*rand.Float64()))
}

// wait waits for d before the request with the number attempt, and emits the remaining time once a second. It
// returns false if ctx ends first.
func wait(ctx context.Context, d time.Duration, f *Failure, attempt int, emit func(Event)) bool {
	until := time.Now().Add(d)
	for {
		left := time.Until(until)
		if left <= 0 {
			return true
		}
		emit(RetryScheduled{Kind: f.Kind, Status: f.Status, Model: f.Model, Left: left, Attempt: attempt})
		select {
		case <-time.After(min(left, (left-1)%time.Second+1)):
		case <-ctx.Done():
			return false
		}
	}
}
