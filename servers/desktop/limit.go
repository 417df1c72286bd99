package desktop

import (
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// The service ends a call by its own clock and says why. The client waits longer than the
// service, by transfer, so that this answer arrives.
const transfer = 5 * time.Second

// defaultLimits are the times that the service allows a method whose request names none.
var defaultLimits = map[string]time.Duration{"ExecuteShellCommand": 30 * time.Second, "OpenApplication": 30 * time.Second}

// limit returns how long a call may take: the time that the service allows the request, and
// the time of the transfer.
func (c *call) limit(method string, req proto.Message) time.Duration {
	limit := c.link.Timeout()
	allow := func(seconds float64) {
		if seconds > 0 && seconds < 86400 {
			limit = max(limit, time.Duration(seconds*float64(time.Second))+transfer)
		}
	}
	allow(defaultLimits[method].Seconds())
	for _, name := range []string{"timeout", "duration"} {
		allow(c.number(name, 0))
	}
	switch r := req.(type) {
	case *pb.CreateInputRequest:
		allow(inputSeconds(r.GetInput().GetAction()))
	case *pb.WriteElementValueRequest: // an element may take a text by its keys only
		allow(float64(utf8.RuneCountInString(r.GetValue())) * keySeconds)
	}
	return limit
}

// keySeconds is how long the service may need to type one character of a text.
const keySeconds = 0.02

// inputSeconds returns how long an input takes by its own durations.
func inputSeconds(a *pb.InputAction) float64 {
	switch {
	case a.GetTypeText() != nil:
		return float64(utf8.RuneCountInString(a.GetTypeText().GetText())) * (a.GetTypeText().GetCharDelay() + keySeconds)
	case a.GetPressKey() != nil:
		return a.GetPressKey().GetHoldDuration()
	case a.GetMoveMouse() != nil:
		return a.GetMoveMouse().GetDuration()
	case a.GetDrag() != nil:
		return a.GetDrag().GetDuration()
	case a.GetScroll() != nil:
		return a.GetScroll().GetDuration()
	}
	return a.GetHover().GetDuration()
}
