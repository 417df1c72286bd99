package guard

import (
	"cmp"
	"context"
	"strings"
)

// The default rates per second. A model that looks and acts stays far below them.
const (
	DefaultActions  = 20
	DefaultRequests = 50
	DefaultPictures = 10
)

// Rates are the average numbers of events per second. Bursts of twice as many pass. Faster events
// wait for at most two seconds and are then refused. The zero value means the defaults.
type Rates struct {
	Actions  float64 // changes of the desktop, including those of macros; 0: DefaultActions
	Requests float64 // all calls of the service; 0: DefaultRequests
	Pictures float64 // screenshots among the requests; 0: DefaultPictures
}

// Paces enforces [Rates]. It is safe for concurrent use.
type Paces struct {
	Actions            *Pace
	requests, pictures *Pace
}

// Paces returns new limiters with these rates.
func (r Rates) Paces() Paces {
	pace := func(what string, rate, usual float64) *Pace {
		rate = cmp.Or(max(rate, 0), usual)
		return newPace(what, rate, max(1, int(2*rate)))
	}
	return Paces{pace("actions on the desktop", r.Actions, DefaultActions), pace("requests to the desktop", r.Requests, DefaultRequests), pace("screenshots", r.Pictures, DefaultPictures)}
}

// Admit waits until a method may start, or refuses it. Every read queries other programs, and every
// picture copies the screen, so a model in a loop would block the desktop.
func (p Paces) Admit(ctx context.Context, method string) error {
	if err := p.requests.Wait(ctx); err != nil {
		return err
	}
	if !strings.HasPrefix(method, "Capture") {
		return nil
	}
	return p.pictures.Wait(ctx)
}
