package busfilter

import (
	"errors"
	"net"
	"slices"

	"golang.org/x/sys/unix"
)

const (
	maxBuffer = 64 << 10 // bytes that are read at a time
	maxFiles  = 16       // open files that wait for their message
)

// A reader reads the messages of one side.
type reader struct {
	conn   *net.UnixConn
	before func() error // called before a read that may block
	buf    []byte       // [maxBuffer]
	at     int          // the range of buf that contains unread bytes
	end    int
	files  []int // received open files, if oob is set
	oob    []byte
}

func newReader(conn *net.UnixConn, rest []byte, files bool, before func() error) *reader {
	r := &reader{conn: conn, before: before, buf: make([]byte, maxBuffer)}
	r.end = copy(r.buf, rest)
	if files {
		r.oob = make([]byte, unix.CmsgSpace(4*maxFiles))
	}
	return r
}

// look returns the next n bytes, at most [maxBuffer], without consuming them.
func (r *reader) look(n int) ([]byte, error) {
	for r.end-r.at < n {
		if r.at > 0 {
			r.end = copy(r.buf, r.buf[r.at:r.end])
			r.at = 0
		}
		if err := r.before(); err != nil {
			return nil, err
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
	return r.buf[r.at : r.at+n], nil
}

// fill reads the available data after the unread bytes.
func (r *reader) fill() error {
	if r.oob == nil { // the system closes files that a client sends
		n, err := r.conn.Read(r.buf[r.end:])
		r.end += n
		return err
	}
	n, oobn, flags, _, err := r.conn.ReadMsgUnix(r.buf[r.end:], r.oob)
	if err != nil {
		return err
	}
	r.end += n
	if oobn > 0 {
		messages, err := unix.ParseSocketControlMessage(r.oob[:oobn])
		for i := range messages {
			if fds, err := unix.ParseUnixRights(&messages[i]); err == nil {
				r.files = append(r.files, fds...)
			}
		}
		if err != nil || len(r.files) > maxFiles || flags&unix.MSG_CTRUNC != 0 {
			return errors.Join(errMalformed, err)
		}
	}
	if n == 0 {
		return net.ErrClosed
	}
	return nil
}

// skip consumes n bytes and passes them to to, which may be nil.
func (r *reader) skip(n int, to func([]byte) error) error {
	for n > 0 {
		if r.at == r.end {
			r.at, r.end = 0, 0
			if err := r.fill(); err != nil {
				return err
			}
		}
		part := r.buf[r.at:min(r.end, r.at+n)]
		if to != nil {
			if err := to(part); err != nil {
				return err
			}
		}
		r.at += len(part)
		n -= len(part)
	}
	return nil
}

// take returns the files of a message, which are the oldest received ones.
func (r *reader) take(n int) ([]int, error) {
	if n > len(r.files) {
		return nil, errMalformed
	}
	out := slices.Clone(r.files[:n])
	r.files = slices.Delete(r.files, 0, n)
	return out, nil
}

func closeFiles(files []int) {
	for _, fd := range files {
		_ = unix.Close(fd)
	}
}
