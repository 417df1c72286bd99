package dialogsocket

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// A Client asks at the dialog socket of a running goated. Its dialogs share one connection, which closes
// some time after the last dialog. It is safe for concurrent use. Folder is required.
type Client struct {
	Folder string                      // the folder of the server
	Start  func(context.Context) error // starts goated if it is not running; nil: Ask returns ErrClosed instead
	Idle   time.Duration               // how long an unused connection stays open; 0: 5 minutes (seed 004)
	Base   time.Duration               // the pause before the first of three retries; 0: 1 s (seed 004)

	once sync.Once
	name string

	mu      sync.Mutex // never held while it connects
	link    *link
	attempt *attempt // to connect; nil: there is none

	sending sync.Mutex  // held while receipts are sent, so that they arrive before the next question
	owing   sync.Mutex  // guards had and late; never held while something is sent
	had     []receipt   // receipts of answers, not sent yet
	late    *time.Timer // sends the receipts; nil: there are none
}

// An attempt is an attempt to connect, for which all dialogs wait.
type attempt struct {
	done chan struct{} // closed when it ends
	err  error         // valid after done; nil also if the dialog that made the attempt gave up
}

// A receipt tells goated that an answer arrived, so that goated can delete it.
type receipt struct {
	link *link
	id   json.RawMessage
}

// receiptDelay is the time between an answer and its receipt. If this program is killed before it
// has passed the answer on, goated still has it.
const receiptDelay = 250 * time.Millisecond

// queueReceipt sends the receipt of an answer after receiptDelay.
func (c *Client) queueReceipt(l *link, id json.RawMessage) {
	c.owing.Lock()
	defer c.owing.Unlock()
	c.had = append(c.had, receipt{l, id})
	if c.late == nil {
		c.late = time.AfterFunc(receiptDelay, func() { c.sendReceipts(nil) })
	}
}

// sendReceipts sends the pending receipts. If over is not nil, it sends them through that connection,
// because their own one may be lost. A receipt that cannot be sent stays pending. If goated does not
// read, this delays the next questions to it, but no answer that has arrived.
func (c *Client) sendReceipts(over *link) {
	c.sending.Lock()
	defer c.sending.Unlock()
	for _, r := range c.takeReceipts() {
		if r.link = cmp.Or(over, r.link); r.link.write(notification(methodReceived, r.id)) != nil {
			c.owing.Lock()
			c.had = append(c.had, r)
			c.owing.Unlock()
		}
	}
}

// takeReceipts returns the pending receipts and clears the list.
func (c *Client) takeReceipts() []receipt {
	c.owing.Lock()
	defer c.owing.Unlock()
	if c.late != nil {
		c.late.Stop()
		c.late = nil
	}
	had := c.had
	c.had = nil
	return had
}

// retries is how often a Client reopens a lost connection (seed 004). After a connection has lasted
// settled times the first pause, the count starts again.
const (
	retries = 3
	settled = 10
)

// Ask shows a dialog in goated and waits for the answer. If the connection is lost, it connects
// again and asks with the same id, so that the user sees only one dialog. If ctx ends, the dialog
// closes. Errors wrap [ErrClosed] or [ErrRefused], or come from goated.
func (c *Client) Ask(ctx context.Context, caller dialog.Caller, question dialog.Question) (dialog.Answer, error) {
	c.once.Do(func() { c.name = rand.Text() })
	arguments, err := json.Marshal(question)
	if err != nil {
		return dialog.Answer{}, err
	}
	params, err := json.Marshal(callParams{Name: question.Kind(), Arguments: arguments})
	if err != nil {
		return dialog.Answer{}, err
	}
	id, err := json.Marshal("req_" + rand.Text())
	if err != nil {
		return dialog.Answer{}, err
	}
	call := frame{Version: "2.0", ID: id, Method: methodCall, Params: params}
	pause := c.Base
	if pause == 0 {
		pause = time.Second
	}
	started := false
	first := pause
	for attempt := 0; ; attempt++ {
		answer, asked, err := c.try(ctx, caller, call)
		if !asked.IsZero() && time.Since(asked) > settled*first { // a person may think for days, longer than a connection lasts
			attempt, pause = 0, first
		}
		var refused *rpcError
		if err == nil || ctx.Err() != nil || errors.As(err, &refused) || errors.Is(err, ErrRefused) {
			return answer, err
		}
		if errors.Is(err, ErrClosed) && !started && c.Start != nil {
			started = true
			if err := c.Start(ctx); errors.As(err, new(NoWindowError)) {
				return dialog.Answer{}, err
			} else if err != nil {
				return dialog.Answer{}, fmt.Errorf("starting goated: %w", err)
			}
			continue
		}
		if attempt >= retries || track.Classify(err) != track.Connection && !errors.Is(err, ErrClosed) {
			return dialog.Answer{}, err
		}
		select {
		case <-ctx.Done():
			return dialog.Answer{}, context.Cause(ctx)
		case <-time.After(pause):
		}
		pause *= 2
	}
}

// try asks through one connection. asked is the time when the connection accepted the question, or
// zero if it did not.
func (c *Client) try(ctx context.Context, caller dialog.Caller, call frame) (answer dialog.Answer, asked time.Time, err error) {
	l, err := c.connect(ctx, caller)
	if err != nil {
		return dialog.Answer{}, time.Time{}, err
	}
	reply := l.expect(string(call.ID))
	defer c.release(l, string(call.ID))
	c.sendReceipts(l) // the same question may be asked again
	if err := l.write(call); err != nil {
		return dialog.Answer{}, time.Time{}, err
	}
	asked = time.Now()
	select {
	case <-ctx.Done():
		l.keepOpen()                                     // the user may still answer
		_ = l.write(notification(methodCancel, call.ID)) // a socket that is closed has no dialog
		return dialog.Answer{}, asked, context.Cause(ctx)
	case <-l.done:
		return dialog.Answer{}, asked, fmt.Errorf("asking goated: %w", l.err)
	case f := <-reply:
		if f.Error != nil && f.Error.Data != nil && f.Error.Data.Cancelled {
			return dialog.Answer{Cancelled: true, Time: f.Error.Data.Timestamp}, asked, nil
		}
		if f.Error != nil {
			return dialog.Answer{}, asked, fmt.Errorf("asking goated: %w", f.Error)
		}
		answer, err := dialog.ParseAnswer(f.Result)
		if err == nil {
			c.queueReceipt(l, call.ID)
		}
		return answer, asked, err
	}
}

func notification(method string, id json.RawMessage) frame {
	params, err := json.Marshal(cancelParams{RequestID: id})
	if err != nil {
		panic(err) // id is JSON
	}
	return frame{Version: "2.0", Method: method, Params: params}
}

// Close closes the connection. Waiting dialogs end with an error.
func (c *Client) Close() {
	c.sendReceipts(nil)
	c.mu.Lock()
	for c.attempt != nil {
		running := c.attempt
		c.mu.Unlock()
		<-running.done
		c.mu.Lock()
	}
	l := c.link
	c.link = nil
	c.mu.Unlock()
	if l != nil {
		l.end(net.ErrClosed)
		<-l.ended
	}
}

// connect returns the open connection, or opens a new one.
func (c *Client) connect(ctx context.Context, caller dialog.Caller) (*link, error) {
	for {
		l, running, mine := c.current()
		if l != nil {
			return l, nil
		}
		if mine {
			return c.open(ctx, caller, running)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-running.done:
			if running.err != nil {
				return nil, running.err
			}
		}
	}
}

// current returns the open connection, or the attempt to connect. If mine is true, the caller has to
// make the attempt.
func (c *Client) current() (l *link, running *attempt, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		select {
		case <-c.link.done:
			c.link = nil
		default:
			c.link.addUse()
			return c.link, nil, false
		}
	}
	if mine = c.attempt == nil; mine {
		c.attempt = &attempt{done: make(chan struct{})}
	}
	return nil, c.attempt, mine
}

// open makes an attempt to connect.
func (c *Client) open(ctx context.Context, caller dialog.Caller, a *attempt) (*link, error) {
	l, err := c.reach(ctx, caller)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attempt = nil; err == nil {
		l.addUse()
		c.link = l
	} else if ctx.Err() == nil {
		a.err = err
	}
	close(a.done)
	return l, err
}

// reach opens a connection to the socket.
func (c *Client) reach(ctx context.Context, caller dialog.Caller) (*link, error) {
	address, err := c.address()
	if err != nil {
		return nil, err
	}
	who, err := json.Marshal(caller)
	if err != nil {
		return nil, err
	}
	l, err := c.dial(ctx, address, who)
	if errors.Is(err, ErrRefused) {
		// When goated starts, it listens before it replaces the address file. So the token may be
		// that of the previous goated process. goated answers only after it has replaced the file.
		if now, failed := c.address(); failed == nil && now != address {
			l, err = c.dial(ctx, now, who)
		}
	}
	return l, err
}

// dial opens a connection to an address. who is the caller, encoded as JSON.
func (c *Client) dial(ctx context.Context, address Address, who []byte) (*link, error) {
	kept := func() bool { return true } // reports whether ctx has not ended the connection, and never will
	dialer := websocket.Dialer{HandshakeTimeout: headerTimeout, NetDialContext: func(dialing context.Context, _, _ string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(dialing, address.Network, address.Address)
		if err == nil { // the package websocket obeys the deadline of a context, but not its end
			kept = context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}}
	url := "ws://localhost/"
	if address.Network == "tcp" {
		url = "ws://" + address.Address + "/"
	}
	ws, response, err := dialer.DialContext(ctx, url, http.Header{
		"Authorization": {"Bearer " + address.Token}, headerClient: {c.name}, headerCaller: {string(who)}, headerAcknowledge: {"1"},
	})
	switch {
	case !kept(), err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && response != nil:
		return nil, fmt.Errorf("%w: %s", ErrRefused, response.Status)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	ws.SetReadLimit(maxResult)
	return newLink(ws), nil
}

// Open reports whether a goated process listens at the dialog socket of a folder. If goated was killed, its
// file still contains an address, but no program answers there.
func Open(ctx context.Context, folder string) bool {
	a, err := (&Client{Folder: folder}).address()
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, headerTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, a.Network, a.Address)
	return err == nil && conn.Close() == nil
}

// address reads the address file.
func (c *Client) address() (Address, error) {
	text, err := os.ReadFile(filepath.Join(c.Folder, addressFile))
	if err != nil {
		return Address{}, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	var a Address
	if err := json.Unmarshal(text, &a); err != nil {
		return Address{}, fmt.Errorf("reading the address of the dialog socket: %w", err)
	}
	if a.Network != "unix" && a.Network != "tcp" {
		return Address{}, fmt.Errorf("reading the address of the dialog socket: the network is %q", a.Network)
	}
	return a, nil
}

// release ends a dialog's use of a connection.
func (c *Client) release(l *link, id string) {
	idle := c.Idle
	if idle == 0 {
		idle = 5 * time.Minute
	}
	l.release(id, idle)
}
