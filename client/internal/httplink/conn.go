package httplink

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/limits"
	"goated/client/internal/pending"
	"goated/client/internal/trace"
	"goated/internal/proc"
)

// An Auth authorizes requests. It is safe for concurrent use.
type Auth interface {
	// Authorization returns the value of the Authorization header, or "" for no header.
	Authorization(ctx context.Context) (string, error)
	// Rejected handles a response with the status 401 or 403 to a request with the authorization
	// sent. If it returns nil, the request is sent again. It may ask the user. repeated means that
	// it has handled a rejection of the same message before.
	Rejected(ctx context.Context, sent string, status int, header http.Header, repeated bool) error
	// RejectedInBackground handles the status 401 for a request that no caller waits for. It asks
	// the user nothing. If it returns nil, the request is sent again.
	RejectedInBackground(ctx context.Context, sent string) error
}

// Options configure a [Conn].
type Options struct {
	// URL of the server. It is http or https.
	URL string
	// Header is sent with each request, but only to this origin. Its values may be secrets.
	Header http.Header
	// KeyHeader is the name of the header with the user's key, or "" if there is none.
	KeyHeader string
	// Auth authorizes requests. It may be nil.
	Auth Auth
	// Transport sends the requests without following redirects. Nil means [newTransport]. The Conn
	// closes the transport's idle connections.
	Transport *http.Transport
	// MaxFrame bounds one message in bytes, both before and after invalid UTF-8 is replaced.
	MaxFrame int
	// NoProbeLimit disables the special timeout of server/discover.
	NoProbeLimit bool
	// Notified handles a notification before the SDK and returns the verdict on it. It must not
	// block. It is called concurrently.
	Notified func(*jsonrpc.Request) limits.Verdict
	// Check checks the response to a method before the SDK decodes it, and returns notes for the
	// log. Nil checks nothing.
	Check func(method string, r *jsonrpc.Response) (notes []string)
	// Changed is called when the noise has changed. It must not block.
	Changed func()
	// Trace reports each message. Nil disables tracing.
	Trace *trace.Tracer
	// Log receives facts that help the user to understand a failure.
	Log *proc.LogRing
	// Redact masks secrets in a server's error message. Nil masks nothing.
	Redact func(text string) string
}

// newTransport returns a transport for one server. It has timeouts for connecting, but none for a
// response, which may take minutes.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSHandshakeTimeout = 10 * time.Second
	t.MaxResponseHeaderBytes = 1 << 20
	t.MaxConnsPerHost = 64
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}
	return t
}

// A Conn is a connection to one server. It implements both [mcp.Transport] and [mcp.Connection]. It
// is safe for concurrent use, except that only one goroutine may call Read at a time.
type Conn struct {
	o       Options
	http    *http.Client
	route   *route
	follows subscriptions
	notices chan bool // holds a value for each notification or response that is being sent
	lifetime
	inbox
}

// New returns a connection. It sends nothing before the first message.
func New(o Options) (*Conn, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("this is not an http or https address")
	}
	u.Fragment = ""
	if o.Header == nil {
		o.Header = make(http.Header)
	}
	if u.User != nil {
		o.Header = o.Header.Clone()
		password, _ := u.User.Password()
		r := http.Request{Header: o.Header}
		r.SetBasicAuth(u.User.Username(), password)
		u.User = nil
	}
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
	if o.Transport == nil {
		o.Transport = newTransport()
	}
	c := &Conn{
		o: o,
		http: &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // exchange follows redirects itself, because headers may be secrets
		}},
		route: newRoute(u), notices: make(chan bool, maxNotices),
	}
	c.ended = make(chan struct{})
	c.ctx, c.stop = context.WithCancel(context.Background())
	c.inbox = inbox{
		life: &c.lifetime, trace: o.Trace, log: o.Log, max: o.MaxFrame, notified: o.Notified, check: o.Check,
		limits: limits.New(o.Log, o.Changed), in: make(chan jsonrpc.Message),
	}
	late := c.fail
	if o.NoProbeLimit {
		late = nil
	}
	c.requests = pending.New(late)
	return c, nil
}

// Connect implements [mcp.Transport].
func (c *Conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection].
func (c *Conn) SessionID() string { return c.route.sessionID() }

// Read implements [mcp.Connection].
func (c *Conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.ended:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// closeTimeout bounds the request that ends the session, and the wait for the notifications before it.
const closeTimeout = 2 * time.Second

// Close implements [mcp.Connection]. It ends the session on the server, but waits only briefly for
// the response. Running calls fail.
func (c *Conn) Close() error {
	fault := c.Fault()
	waitForNotices(c.notices, c.ended)
	c.shut()
	c.wg.Wait()
	if session := c.route.takeSession(); session != "" && fault == nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if r, _, err := c.request(ctx, http.MethodDelete, nil, nil); err == nil {
			r.Header.Set(sessionHeader, session)
			if resp, err := c.http.Do(r); err == nil {
				_ = resp.Body.Close()
			}
		}
	}
	c.o.Transport.CloseIdleConnections()
	return nil
}

// waitForNotices waits briefly until the notifications that are being sent have arrived. If goated exits
// while a tool runs, only the cancellation notification makes the server stop the work.
func waitForNotices(notices chan bool, ended <-chan struct{}) {
	late := time.NewTimer(closeTimeout)
	defer late.Stop()
	for range maxNotices {
		select {
		case notices <- true: // the slot is never released, because the connection ends
		case <-ended:
			return
		case <-late.C:
			return
		}
	}
}

// StreamFault returns the fault for a connection that ended although [Conn.Fault] is nil.
func (c *Conn) StreamFault() error { return &Fault{Kind: Gone, Host: c.route.host()} }
