package client

import (
	"time"

	"goated/client/internal/limits"
	"goated/client/internal/toolcall"
	"goated/internal/proc"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// notificationHandler returns [server.handleNotification] for a link with a log.
func notificationHandler(s *server, log *proc.LogRing) func(*jsonrpc.Request) limits.Verdict {
	return func(req *jsonrpc.Request) limits.Verdict { return s.handleNotification(req, log) }
}

// handleNotification handles a notification and returns how to treat it. The reading goroutine calls it, so
// that progress arrives before the response that follows it, and a flood fills no queue. Log messages
// also go to the server's log, because they may explain why it exits.
func (s *server) handleNotification(req *jsonrpc.Request, log *proc.LogRing) verdict {
	switch req.Method {
	case "notifications/progress":
		p := toolcall.Progress(req.Params)
		if r := s.calls.ByToken(p.ProgressToken); r != nil {
			r.Progress(&p)
			return limits.Used
		}
		return limits.Unused
	case "notifications/message":
		// A log message does not name its call. It is clear only while a single
		// call runs.
		said := toolcall.LogLine(req.Params)
		log.Note(said)
		if r := s.calls.Single(); r != nil {
			r.Log(said)
			return limits.Used
		}
		return limits.Unused
	case "notifications/resources/updated":
		if s.subscribers.Updated(req.Params) {
			return limits.Used
		}
		return limits.Unknown // goated subscribed to nothing of the kind
	case "notifications/prompts/list_changed", "notifications/resources/list_changed":
		s.offered.Add(1)
		s.host.list.notifySoon()
		return limits.Used
	case "notifications/tools/list_changed":
		// One on the way to listChanged is enough; but the SDK may lose it.
		now := time.Now().UnixNano()
		if was := s.changing.Load(); was != 0 && now-was < int64(time.Second) {
			return limits.Unused
		}
		s.changing.Store(now)
		return limits.Deliver
	case "notifications/subscriptions/acknowledged":
		// The server reports changes only from now on. For changes since the request of the
		// list, goated lists again. The SDK does nothing here.
		s.offered.Add(1)
		s.host.list.notifySoon()
		if !s.subscribers.Acknowledged(req.Params) {
			return limits.Used
		}
		if s.listed.Load() {
			req.Method, req.Params = "notifications/tools/list_changed", nil
		}
		return limits.Deliver
	case "notifications/cancelled", "notifications/elicitation/complete":
		return limits.Deliver
	}
	return limits.Unknown // and the SDK would throw it away, one by one
}
