package dialogsocket

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"goated/internal/goroutines"
	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// A Request is a question that a caller asks at the socket.
type Request struct {
	Caller   dialog.Caller
	Question dialog.Question
	Former   *dialog.Answer // the user's earlier answer to the question, which no caller received; may be nil
	Waits    <-chan bool    // false: the caller no longer waits; true: it asks again
	Shown    func()         // called once, when the user can see the dialog
}

// An AskFunc shows a dialog and blocks until the user answers. If the caller stops waiting, the
// dialog stays open, and goated stores the answer for the next time that the same question is
// asked. When ctx ends, the dialog closes and shows the cause ([context.Cause]). If the user has
// answered by then, the function returns the answer. An error means that the dialog cannot be
// shown.
type AskFunc func(ctx context.Context, r Request) (dialog.Answer, error)

// These are causes for the end of a dialog or of a request.
var (
	// ErrCallerLeft ends a dialog whose caller has disconnected.
	ErrCallerLeft = errors.New("the program that asked has ended")
	// ErrCallerMovedOn ends a dialog whose caller has since given up many others.
	ErrCallerMovedOn = errors.New("the program that asked has asked other questions since")
	// ErrCallerCancelled ends a request whose caller no longer waits.
	ErrCallerCancelled = errors.New("the program that asked no longer waits")

	errQuitting = errors.New("goated quits")
)

// Options configure a socket.
type Options struct {
	Folder string        // contains the address file, the socket and the stored answers; created if missing
	Ask    AskFunc       // required
	TCP    string        // a loopback address to listen on instead of a Unix socket, for example 127.0.0.1:3000
	Grace  time.Duration // how long a dialog waits for its caller to reconnect; 0: 15 s
	Log    *slog.Logger  // nil: no log

	process func(net.Conn) string // nil: processOf
}

// unnamed is the name of a caller that does not give its name.
const unnamed = "an unnamed program"

// A Server is goated's side of the socket. It is safe for concurrent use.
type Server struct {
	o        Options
	log      *slog.Logger
	token    string
	tcp      bool // it listens on TCP, where other programs can guess the address
	answers  *answers
	tracker  *track.Tracker
	http     *http.Server
	upgrader websocket.Upgrader
	ctx      context.Context // of all dialogs
	cancel   context.CancelCauseFunc
	work     sync.WaitGroup

	mu      sync.Mutex // guards the clients, their requests and the dialogs
	clients map[string]*client
	prompts map[*prompt]bool
	calls   rates
}

// Listen opens the socket. The caller must call Close.
func Listen(o Options) (*Server, error) {
	if o.Grace == 0 {
		o.Grace = 15 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.process == nil {
		o.process = processOf
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the dialog socket: %w", err)
	}
	kept, err := openAnswers(filepath.Join(o.Folder, "answers.json"))
	if err != nil {
		return nil, err
	}
	listener, address, err := listen(o)
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, log: o.Log, token: rand.Text() + rand.Text(), tcp: address.Network == "tcp", answers: kept, tracker: track.New(o.Log),
		clients: make(map[string]*client), prompts: make(map[*prompt]bool), calls: make(rates)}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: headerTimeout, MaxHeaderBytes: maxHeader, ConnState: goroutines.Connections(&s.work),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, processKey{}, o.process(c))
		}}
	// A browser always sends an Origin header, and no caller of the socket is a browser.
	s.upgrader = websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == "" }}
	address.Token, address.PID = s.token, os.Getpid()
	if err := writeFile(filepath.Join(o.Folder, addressFile), address); err != nil {
		_ = listener.Close()
		return nil, err
	}
	s.work.Go(func() { _ = s.http.Serve(listener) })
	return s, nil
}

func listen(o Options) (net.Listener, Address, error) {
	// The address of a Unix socket is limited to 104 bytes on macOS and 108 on Linux.
	if path := filepath.Join(o.Folder, "dialogs.sock"); o.TCP == "" && runtime.GOOS != "windows" && len(path) < 100 {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // left by a killed goated
			return nil, Address{}, fmt.Errorf("opening the dialog socket: %w", err)
		}
		l, err := net.Listen("unix", path)
		if err != nil {
			return nil, Address{}, fmt.Errorf("opening the dialog socket: %w", err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, Address{}, errors.Join(fmt.Errorf("opening the dialog socket: %w", err), l.Close())
		}
		return l, Address{Network: "unix", Address: path}, nil
	}
	if o.TCP == "" {
		o.TCP = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(o.TCP)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, Address{}, fmt.Errorf("opening the dialog socket: %q is not a loopback address with a port", o.TCP)
	}
	l, err := net.Listen("tcp", o.TCP)
	if err != nil {
		return nil, Address{}, fmt.Errorf("opening the dialog socket: %w", err)
	}
	return l, Address{Network: "tcp", Address: l.Addr().String()}, nil
}

// Close closes the socket, its dialogs and its files. It waits until all dialogs have ended.
func (s *Server) Close() error {
	err := os.Remove(filepath.Join(s.o.Folder, addressFile))
	s.cancel(errQuitting)
	err = errors.Join(err, s.http.Close())
	s.mu.Lock()
	for _, c := range s.clients {
		if c.line != nil {
			c.line.close()
		}
	}
	s.mu.Unlock()
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.clients {
		if c.left != nil {
			c.left.Stop()
		}
		for _, d := range c.dialogs {
			s.abandon(d, errQuitting)
		}
	}
	return err
}

// Tracker returns the requests at the socket and their statistics.
func (s *Server) Tracker() *track.Tracker { return s.tracker }

// serve authenticates a caller and runs its connection.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if status, reason := s.check(r); status != http.StatusOK {
		s.log.Warn("refusing a connection at the dialog socket", "reason", reason)
		http.Error(w, reason, status)
		return
	}
	caller := dialog.Caller{Name: unnamed}
	if text := r.Header.Get(headerCaller); text != "" {
		if err := json.Unmarshal([]byte(text), &caller); err != nil {
			http.Error(w, "the name of the caller is not JSON", http.StatusBadRequest)
			return
		}
	}
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil { // Upgrade has answered
		s.log.Warn("refusing a connection at the dialog socket", "reason", err)
		return
	}
	id, process := rand.Text(), r.Context().Value(processKey{}).(string)
	name := r.Header.Get(headerClient)
	if name == "" {
		name = id // a client without a name cannot reconnect
	}
	l := &line{id: id, process: process, ws: ws, out: make(chan []byte, maxQueue), done: make(chan struct{}), acknowledges: r.Header.Get(headerAcknowledge) == "1"}
	l.send(frame{Type: "connection", Status: "connected", ConnectionID: id})
	if !s.start(l.write) || !s.start(func() {
		c := s.connect(process+"/"+name, caller, l) // no process can take over the dialogs of another
		l.read(func(text []byte) { s.handle(c, l, text) })
		s.connectionEnded(c, l)
		l.close()
	}) {
		l.close()
	}
}

// start runs a function in a goroutine for which Close waits. After Close, it returns false.
func (s *Server) start(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.work.Go(f)
	return true
}

// check verifies that a request comes from a program of the user.
func (s *Server) check(r *http.Request) (status int, reason string) {
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch host, _, err := net.SplitHostPort(r.Host); {
	case r.Header.Get("Origin") != "":
		return http.StatusForbidden, "a web page asks"
	case s.tcp && (err != nil || host != "127.0.0.1" && host != "::1" && host != "localhost"):
		return http.StatusForbidden, "the host is not this computer" // DNS rebinding
	case !bearer || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		return http.StatusUnauthorized, "the token is wrong"
	case r.URL.Path != "/" && r.URL.Path != "":
		return http.StatusNotFound, "there is no such page"
	}
	return http.StatusOK, ""
}
