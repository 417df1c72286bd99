// Package nameserver answers the name lookups of a process in a private network. Each name gets a
// placeholder address.
//
// It owns these addresses, the loopback interface that has them, and the protocol. It must not know
// which names the process may reach, and queries no other server.
package nameserver

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// standIns are the placeholder addresses for names in a private network. They are reserved for
// network tests, so no host has them.
var standIns = netip.MustParsePrefix("198.18.0.1/15")

const (
	maxNames  = 4096 // bounds the names that a process may look up
	maxLong   = 8    // concurrent connections to the resolver
	longLimit = 5 * time.Second
	answerTTL = 60 // seconds
)

// A Server answers the name lookups of a process in a private network. Each name gets a placeholder
// address. The Server sends no requests, so a lookup reveals nothing.
type Server struct {
	packets   net.PacketConn
	streams   net.Listener
	canonical func(string) (string, bool)
	wg        sync.WaitGroup

	mu     sync.Mutex
	byName map[string]netip.Addr
	byAddr map[netip.Addr]string
	open   map[net.Conn]bool
	closed bool
}

// Start starts a name server and takes ownership of the sockets. canonical returns the canonical
// form of a name, and false if the name is invalid. Close stops the server.
func Start(packets net.PacketConn, streams net.Listener, canonical func(string) (string, bool)) *Server {
	r := &Server{packets: packets, canonical: canonical, streams: streams, byName: make(map[string]netip.Addr), byAddr: make(map[netip.Addr]string), open: make(map[net.Conn]bool)}
	r.wg.Go(r.servePackets)
	r.wg.Go(r.serveStreams)
	return r
}

// Close stops the server and waits for it.
func (r *Server) Close() {
	_, _ = r.packets.Close(), r.streams.Close()
	r.mu.Lock()
	r.closed = true
	for c := range r.open {
		_ = c.Close()
	}
	r.mu.Unlock()
	r.wg.Wait()
}

// Name returns the name behind a placeholder address, or "" if there is none.
func (r *Server) Name(a netip.Addr) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byAddr[a.Unmap()]
}

// addr returns the placeholder address for a canonical name, and false if there are too many names.
func (r *Server) addr(name string) (netip.Addr, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a, ok := r.byName[name]; ok {
		return a, true
	}
	if len(r.byName) >= maxNames {
		return netip.Addr{}, false
	}
	first := binary.BigEndian.Uint32(standIns.Addr().AsSlice())
	var raw [4]byte
	binary.BigEndian.PutUint32(raw[:], first+uint32(len(r.byName))+1)
	a := netip.AddrFrom4(raw)
	r.byName[name], r.byAddr[a] = a, name
	return a, true
}

func (r *Server) servePackets() {
	b := make([]byte, 4096)
	for {
		n, from, err := r.packets.ReadFrom(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // the process's port is unreachable
		}
		if answer := r.answer(b[:n]); answer != nil {
			_, _ = r.packets.WriteTo(answer, from) // the process retries
		}
	}
}

func (r *Server) serveStreams() {
	for {
		c, err := r.streams.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // too many open files
			continue
		}
		r.mu.Lock()
		full := r.closed || len(r.open) >= maxLong
		if !full {
			r.open[c] = true
		}
		r.mu.Unlock()
		if full {
			_ = c.Close()
			continue
		}
		r.wg.Go(func() {
			r.serveStream(c)
			r.mu.Lock()
			delete(r.open, c)
			r.mu.Unlock()
			_ = c.Close()
		})
	}
}

func (r *Server) serveStream(c net.Conn) {
	for {
		_ = c.SetDeadline(time.Now().Add(longLimit))
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		b := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, b); err != nil {
			return
		}
		answer := r.answer(b)
		if answer == nil {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

// answer returns the response to a message, or nil if the message is not a query.
func (r *Server) answer(message []byte) []byte {
	var p dnsmessage.Parser
	head, err := p.Start(message)
	if err != nil || head.Response {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	out := dnsmessage.Header{ID: head.ID, Response: true, OpCode: head.OpCode, Authoritative: true, RecursionDesired: head.RecursionDesired, RecursionAvailable: true}
	var found netip.Addr
	name, ok := r.canonical(q.Name.String())
	switch {
	case head.OpCode != 0:
		out.RCode = dnsmessage.RCodeNotImplemented
	case !ok || q.Class != dnsmessage.ClassINET:
		out.RCode = dnsmessage.RCodeNameError
	case name == "localhost":
		found = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case q.Type == dnsmessage.TypeA || q.Type == dnsmessage.TypeALL:
		if found, ok = r.addr(name); !ok {
			out.RCode = dnsmessage.RCodeServerFailure
		}
	}
	b := dnsmessage.NewBuilder(nil, out)
	b.EnableCompression()
	if b.StartQuestions() != nil || b.Question(q) != nil || b.StartAnswers() != nil {
		return nil
	}
	if found.IsValid() && (q.Type == dnsmessage.TypeA || q.Type == dnsmessage.TypeALL) {
		if b.AResource(dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: answerTTL}, dnsmessage.AResource{A: found.As4()}) != nil {
			return nil
		}
	}
	answer, err := b.Finish()
	if err != nil {
		return nil
	}
	return answer
}
