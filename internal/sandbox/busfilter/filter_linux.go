package busfilter

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// maxLinks bounds the concurrent connections of a filter's clients.
const maxLinks = 64

// connectTime bounds the time in which a bus must accept a connection, in seconds.
const connectTime = 5

// A Filter stands between the processes of one sandbox and their buses. The caller must close it.
type Filter struct {
	links sync.WaitGroup

	mu       sync.Mutex
	open     map[*link]bool
	closed   bool
	listener int      // a socket that only [Filter.Connect] can reach
	node     *os.File // the socket's inode, which is no longer in any folder
}

// New creates a filter.
func New() (*Filter, error) {
	f := &Filter{open: make(map[*link]bool)}
	if err := f.listen(); err != nil {
		return nil, fmt.Errorf("making the socket of a filter for D-Bus: %w", err)
	}
	return f, nil
}

// listen creates the socket. It has a name in the file system for a moment, because a process in
// another network can reach it only by such a name.
func (f *Filter) listen() error {
	dir, err := os.MkdirTemp("", "goated-filter-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	at, err := os.OpenFile(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer at.Close()
	path := inProc(at) + "/bus" // the path of dir may be too long for a socket
	if f.listener, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return err
	}
	if err = unix.Bind(f.listener, &unix.SockaddrUnix{Name: path}); err == nil {
		err = unix.Listen(f.listener, 1)
	}
	if err == nil {
		f.node, err = os.OpenFile(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		_ = unix.Close(f.listener)
	}
	return err
}

// inProc returns a path in /proc for an open file.
func inProc(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }

// Connect connects a client's socket to a bus through the filter. It does not keep the socket.
func (f *Filter) Connect(client int, bus unix.Sockaddr, r Rules) error {
	return f.join(bus, r, func() (*net.UnixConn, error) {
		if err := unix.Connect(client, &unix.SockaddrUnix{Name: inProc(f.node)}); err != nil {
			return nil, err
		}
		in, _, err := unix.Accept4(f.listener, unix.SOCK_CLOEXEC)
		if err != nil {
			return nil, err
		}
		return conn(in)
	})
}

// Join is like Connect, but for a client that is connected to the caller. It takes ownership of the
// connection.
func (f *Filter) Join(client *net.UnixConn, bus unix.Sockaddr, r Rules) error {
	err := f.join(bus, r, func() (*net.UnixConn, error) { return client, nil })
	if err != nil {
		_ = client.Close()
	}
	return err
}

// join connects to a bus and then to a client, and starts to pass messages. accept is never called
// concurrently, so that each connection to the listener comes from the right client.
func (f *Filter) join(bus unix.Sockaddr, r Rules, accept func() (*net.UnixConn, error)) error {
	out, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	limit := unix.Timeval{Sec: connectTime}
	if err = unix.SetsockoptTimeval(out, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit); err == nil {
		err = unix.Connect(out, bus)
	}
	if err != nil {
		_ = unix.Close(out)
		return err
	}
	toBus, err := conn(out)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	err = unix.ECONNREFUSED
	var toClient *net.UnixConn
	if !f.closed && len(f.open) < maxLinks {
		toClient, err = accept()
	}
	if err != nil {
		_ = toBus.Close()
		return err
	}
	l := &link{rules: r, client: newSide(toClient), bus: newSide(toBus), pending: make(map[uint32]answer), owners: make(map[string]string)}
	f.open[l] = true
	f.links.Go(func() {
		l.run()
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.open, l)
	})
	return nil
}

// conn returns the connection of a socket and takes ownership of the socket.
func conn(fd int) (*net.UnixConn, error) {
	file := os.NewFile(uintptr(fd), "D-Bus")
	defer file.Close()
	c, err := net.FileConn(file)
	if err != nil {
		return nil, err
	}
	return c.(*net.UnixConn), nil
}

// Close ends all connections and waits for them.
func (f *Filter) Close() {
	f.mu.Lock()
	was := f.closed
	f.closed = true
	for l := range f.open {
		l.close()
	}
	f.mu.Unlock()
	f.links.Wait()
	if !was {
		_ = unix.Close(f.listener)
		_ = f.node.Close()
	}
}
