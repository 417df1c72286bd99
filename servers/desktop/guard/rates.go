package guard

import (
	"cmp"
	"context"
	"strings"
)

// The default rates. A model that looks and acts stays far below them.
const (
	DefaultActions  = 20
	DefaultRequests = 50
	DefaultPictures = 10
)

// Rates are how much happens in a second on average; bursts of twice as much pass. What
// comes faster waits for at most two seconds, and is refused then. The zero value is the
// defaults.
type Rates struct {
	Actions  float64 // what changes the desktop, also by macros; 0: DefaultActions
	Requests float64 // calls of the service; 0: DefaultRequests
	Pictures float64 // screenshots among them; 0: DefaultPictures
}

// Paces hold [Rates]. They are safe for concurrent use.
type Paces struct {
	Actions            *Pace
	requests, pictures *Pace
}

// Paces begins to count.
func (r Rates) Paces() Paces {
	pace := func(what string, rate, usual float64) *Pace {
		rate = cmp.Or(max(rate, 0), usual)
		return newPace(what, rate, max(1, int(2*rate)))
	}
	return Paces{pace("actions on the desktop", r.Actions, DefaultActions), pace("requests to the desktop", r.Requests, DefaultRequests), pace("screenshots", r.Pictures, DefaultPictures)}
}

// Admit waits until a call of the service may begin, or refuses it. Each reading asks other
// programs, and each picture copies the screen: a model in a loop would stop the desktop.
func (p Paces) Admit(ctx context.Context, method string) error {
	if err := p.requests.Wait(ctx); err != nil {
		return err
	}
	if !strings.HasPrefix(method, "Capture") {
		return nil
	}
	return p.pictures.Wait(ctx)
}
