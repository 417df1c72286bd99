package sandbox

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"goated/internal/sandbox/httphead"
	"goated/internal/sandbox/relay"
)

// These responses replace a host's response.
const (
	badRequest  = "400 Bad Request"
	forbidden   = "403 Forbidden"
	badGateway  = "502 Bad Gateway"
	notARequest = "goated: this is a proxy. Send CONNECT with a host and a port, or an http:// address with a host and without a user."
)

// serve handles one request of a client that uses the proxy. Only the target of the request
// determines the destination, and serve ignores the Host header. Afterwards it copies bytes in both
// directions without parsing them, so a connection has one request. The caller has called begin.
func (p *proxy) serve(near *proxyClient) {
	defer p.wg.Done()
	defer near.Close()
	_ = near.SetDeadline(time.Now().Add(headerLimit))
	buffered := bufio.NewReader(near)
	head, err := httphead.Read(buffered)
	method, target, ok := head.Request()
	switch {
	case errors.Is(err, httphead.ErrLarge):
		relay.WriteResponse(near.TCPConn, "431 Request Header Fields Too Large", "goated: "+err.Error()+".")
		return
	case err != nil && !errors.Is(err, httphead.ErrMalformed):
		return
	case err != nil || !ok:
		relay.WriteResponse(near.TCPConn, badRequest, notARequest)
		return
	}
	to := target
	if method != "CONNECT" {
		u, err := url.Parse(target)
		if err != nil || u.Scheme != "http" || u.Host == "" || u.User != nil {
			relay.WriteResponse(near.TCPConn, badRequest, notARequest)
			return
		}
		if to = u.Host; u.Port() == "" {
			to = net.JoinHostPort(u.Hostname(), "80")
		}
		head = head.Without("Host").WithoutHopByHop()
		head.Fields = append([]string{"Host: " + u.Host}, head.Fields...)
		head.First = method + " " + u.RequestURI() + head.First[strings.LastIndexByte(head.First, ' '):]
	}
	_ = near.SetDeadline(time.Time{})
	far, err := p.dial(p.ctx, to)
	if err != nil {
		status, why := errorResponse(err)
		if method == "CONNECT" { // clients show its status line but not its body
			status = status[:len("400 ")] + why
		}
		relay.WriteResponse(near.TCPConn, status, why)
		return
	}
	defer far.Close()
	defer context.AfterFunc(p.ctx, func() { _ = far.Close() })()
	if method == "CONNECT" {
		_, err = io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n")
	} else {
		_, err = head.WriteTo(far)
	}
	first, _ := buffered.Peek(buffered.Buffered()) // bytes that the server has already sent
	if err == nil {
		_, err = far.Write(first)
	}
	if err != nil {
		return
	}
	beginning := relay.CopyResponse
	if method == "CONNECT" {
		beginning = nil
	}
	relay.CopyBoth(near.TCPConn, far.(*net.TCPConn), beginning)
}

// relayTo connects a client that does not use the proxy to its intended host. The caller has called
// begin.
func (p *proxy) relayTo(near *proxyClient, host string) {
	defer p.wg.Done()
	defer near.Close()
	far, err := p.dial(p.ctx, host)
	if err != nil {
		_ = near.SetLinger(0) // the process sees a connection reset
		return
	}
	defer far.Close()
	defer context.AfterFunc(p.ctx, func() { _ = far.Close() })()
	relay.CopyBoth(near.TCPConn, far.(*net.TCPConn), nil)
}
