package desktop

import (
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// The service ends a call by its own clock and reports why. The client waits longer than the
// service, by transfer, so that this report arrives.
const transfer = 5 * time.Second

// defaultLimits contains the time limits that the service applies to requests that set none.
var defaultLimits = map[string]time.Duration{
	"ExecuteShellCommand": 30 * time.Second, "OpenApplication": 30 * time.Second, "WaitElement": 30 * time.Second, "WaitElementState": 30 * time.Second,
	"AutomateOpenFileDialog": 10 * time.Second, "AutomateSaveFileDialog": 10 * time.Second,
}

// limit returns how long a call may take: the time that the service allows the request, plus the
// time for the transfer.
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
	case *pb.WriteElementValueRequest: // some elements accept text only as key presses
		allow(float64(utf8.RuneCountInString(r.GetValue())) * keySeconds)
	}
	return limit
}

// keySeconds is how many seconds the service may need to type one character.
const keySeconds = 0.02

// inputSeconds returns how many seconds an input takes according to the durations in it.
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
