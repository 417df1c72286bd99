package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"goated/client/diagnose"
	"goated/client/internal/answers"
	"goated/client/internal/httplink"
	"goated/client/internal/trace"
	"goated/internal/launch"
	"goated/internal/proc"
	"goated/internal/secretname"
)

// An Authorizer authorizes the requests to one server with a URL. It is safe for
// concurrent use. Rejected may ask the user; that time counts against no limit. An error of it
// with a method SignInImpossible means that asking again does not help.
type Authorizer = httplink.Auth

// A RemoteFault is why a server with a URL was not reached, or does not speak MCP. It is
// beneath an [ErrReach].
type RemoteFault struct{ *httplink.Fault }

// remoteFault finds the fault of a server with a URL in err; nil if there is none.
func remoteFault(err error) *RemoteFault {
	var f *httplink.Fault
	if !errors.As(err, &f) {
		return nil
	}
	return &RemoteFault{f}
}

// transient reports whether the fault of a connected server may go away by itself.
func (f *RemoteFault) transient() bool {
	switch f.Kind {
	case httplink.Unauthorized, httplink.KeyRefused, httplink.Forbidden, httplink.Untrusted, httplink.Moved, httplink.NotFound, httplink.NotMCP:
		return false
	}
	return true
}

// unreached reports whether the network or the server may be down for a while.
func (f *RemoteFault) unreached() bool {
	switch f.Kind {
	case httplink.UnknownHost, httplink.Refused, httplink.Unreachable:
		return true
	}
	return false
}

// openURL creates the link to a server with a URL. It sends nothing yet.
func openURL(s *server, noProbeLimit bool) (*link, error) {
	log, tracer := new(proc.LogRing), newTracer(s.host.o, s.view.ID, s.config)
	o := httplink.Options{
		URL: launch.FilledURL(s.config.URL, s.config.Env), Header: make(http.Header), MaxFrame: s.host.o.MaxFrame, NoProbeLimit: noProbeLimit,
		Notified: notificationHandler(s, log), Check: answers.Apply, Changed: s.host.list.notifySoon, Trace: tracer, Log: log,
		Redact: trace.Redact(s.config.remoteSecrets()),
	}
	for _, kv := range launch.FilledHeaders(s.config.Headers, s.config.Env) {
		name, value, _ := strings.Cut(kv, "=")
		o.Header.Set(name, value)
		if o.KeyHeader == "" && secretname.Is(name) || http.CanonicalHeaderKey(name) == "Authorization" {
			o.KeyHeader = name
		}
	}
	if make := s.host.o.Authorizer; make != nil && o.Header.Get("Authorization") == "" {
		if a := make(s.config); a != nil {
			o.Auth = &unlimitedAuth{Authorizer: a, server: s}
		}
	}
	conn, err := httplink.New(o)
	if err != nil {
		return nil, &Error{Kind: ErrStart, Subject: s.config.redactedSubject(), Err: err}
	}
	return &link{began: time.Now(), log: log, trace: tracer, transport: conn}, nil
}

// remoteSecrets returns the secrets in the headers and the address of a server with a URL.
func (c Config) remoteSecrets() (secrets []string) {
	for _, kv := range launch.FilledHeaders(c.Headers, c.Env) {
		_, value, _ := strings.Cut(kv, "=")
		secrets = append(secrets, value)
		if _, key, ok := strings.Cut(value, " "); ok && !strings.Contains(key, " ") { // as in "Bearer KEY"
			secrets = append(secrets, key)
		}
	}
	return append(secrets, httplink.Secrets(launch.FilledURL(c.URL, c.Env))...)
}

// An unlimitedAuth is an Authorizer whose questions to the user count against no limit of
// its server.
type unlimitedAuth struct {
	Authorizer
	server *server
}

// Rejected implements [Authorizer].
func (a *unlimitedAuth) Rejected(ctx context.Context, sent string, status int, header http.Header, repeated bool) error {
	defer a.server.countQuestion(ctx)()
	return a.Authorizer.Rejected(ctx, sent, status, header, repeated)
}

// remoteCauses are the causes of the faults of servers with a URL.
var remoteCauses = map[httplink.Kind]diagnose.Cause{
	httplink.UnknownHost: diagnose.HostUnknown, httplink.Refused: diagnose.NothingListens, httplink.Unreachable: diagnose.HostSilent,
	httplink.Untrusted: diagnose.CertificateInvalid, httplink.PlainHTTP: diagnose.HTTPSUnknown, httplink.NeedsHTTPS: diagnose.HTTPSNeeded,
	httplink.NotFound: diagnose.AddressUnknown, httplink.NotMCP: diagnose.AddressNotMCP, httplink.Unauthorized: diagnose.SignInNeeded, httplink.KeyRefused: diagnose.KeyRefused,
	httplink.Forbidden: diagnose.AccessDenied, httplink.Moved: diagnose.ServerMoved, httplink.Failing: diagnose.ServerFailing,
	httplink.Gone: diagnose.ServerGone, httplink.SessionLost: diagnose.SessionLost, httplink.Other: diagnose.ServerFailing,
}

// remoteFacts returns the facts about a server with a URL.
func remoteFacts(s *server, e *Error) diagnose.Facts {
	f := commonFacts(s, e)
	if fault := remoteFault(e); fault != nil {
		f.Remote = &diagnose.Remote{Cause: remoteCauses[fault.Kind], Host: fault.Host, Text: fault.Text, Address: fault.Suggest}
		if fault.Text == "" && fault.Err != nil {
			f.Remote.Text = fault.Err.Error()
		}
		if fault.Kind == httplink.KeyRefused { // it matters more than why the user is not signed in
			f.Remote.Text = fault.Header
			return f
		}
		var no interface{ SignInImpossible() } // of an Authorizer
		if errors.As(fault.Err, &no) {
			f.Remote.Cause, f.Remote.Text = diagnose.SignInImpossible, fault.Err.Error()
		}
	} else if e.Kind == ErrConnectTimeout && e.Err == nil && !f.Initialized {
		f.Remote = &diagnose.Remote{Cause: diagnose.HostSilent, Host: s.config.redactedSubject()}
	}
	return f
}
