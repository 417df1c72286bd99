// Package session stores the sessions of the desktop protocol (seed 002): their lifetime, history
// and transactions. A transaction can undo its reversible operations. The package is pure logic
// over a clock. Its errors have codes of package status.
package session

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/macosusesdk"
)

// The limits of sessions.
const (
	Life        = time.Hour        // a session expires this long after its last use
	Transaction = 5 * time.Minute  // default timeout of a transaction
	MaxTimeout  = 30 * time.Minute // maximum timeout of a transaction
	MaxSessions = 100
	MaxHistory  = 1000     // operations in the history of a session
	MaxBytes    = 64 << 10 // of a session's name and metadata
	maxText     = 1 << 10  // of each text in the history
	kept        = 10 * time.Minute
)

// A Store holds the sessions of a server. Create one with [New]. It is safe for concurrent use.
type Store struct {
	now func() time.Time

	mu       sync.Mutex
	last     int
	sessions map[string]*session
}

// A session is a session with its history.
type session struct {
	pb      *macosusesdk.Session
	history []record
	tx      *transaction // nil if none is open
	ended   time.Time    // when it expired; zero while it is active
}

// A record is one operation in the history of a session.
type record struct {
	pb     *macosusesdk.OperationRecord
	within string // see Operation
}

// New returns an empty store. now is its clock; nil means the system's clock.
func New(now func() time.Time) *Store {
	if now == nil {
		now = time.Now
	}
	return &Store{now: now, sessions: make(map[string]*session)}
}

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// Create creates a session. If id is empty, the store chooses one.
func (s *Store) Create(id, displayName string, metadata map[string]string) (*macosusesdk.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	if id != "" && !validID.MatchString(id) {
		return nil, status.Errorf(codes.InvalidArgument, "session_id %q is not valid; use up to 63 letters, digits, dots and hyphens", id)
	}
	if n := proto.Size(&macosusesdk.Session{DisplayName: displayName, Metadata: metadata}); n > MaxBytes {
		return nil, status.Errorf(codes.InvalidArgument, "the name and the metadata of the session have %d bytes; at most %d are allowed", n, MaxBytes)
	}
	if s.activeCount() >= MaxSessions {
		return nil, status.Errorf(codes.ResourceExhausted, "there are %d sessions already; delete one", MaxSessions)
	}
	if id == "" {
		for id == "" || s.sessions["sessions/"+id] != nil {
			s.last++
			id = "s" + strconv.Itoa(s.last)
		}
	}
	name := "sessions/" + id
	if s.sessions[name] != nil {
		return nil, status.Errorf(codes.AlreadyExists, "%s exists already", name)
	}
	now := s.now()
	s.sessions[name] = &session{pb: &macosusesdk.Session{
		Name: name, DisplayName: displayName, State: macosusesdk.Session_STATE_ACTIVE, Metadata: maps.Clone(metadata),
		CreateTime: timestamppb.New(now), LastAccessTime: timestamppb.New(now), ExpireTime: timestamppb.New(now.Add(Life)),
	}}
	return s.sessions[name].clone(), nil
}

func (x *session) clone() *macosusesdk.Session { return proto.CloneOf(x.pb) }

// sweep ends expired transactions and sessions. The caller holds mu.
func (s *Store) sweep() {
	now := s.now()
	for name, x := range s.sessions {
		if x.tx != nil && !now.Before(x.tx.until) {
			x.close(macosusesdk.Transaction_STATE_FAILED)
		}
		switch {
		case x.ended.IsZero() && !now.Before(x.pb.ExpireTime.AsTime()):
			if x.tx != nil {
				x.close(macosusesdk.Transaction_STATE_FAILED)
			}
			x.pb.State, x.ended = macosusesdk.Session_STATE_EXPIRED, now
		case !x.ended.IsZero() && now.Sub(x.ended) >= kept:
			delete(s.sessions, name)
		}
	}
}

// activeCount returns the number of active sessions.
func (s *Store) activeCount() (n int) {
	for _, x := range s.sessions {
		if x.ended.IsZero() {
			n++
		}
	}
	return n
}

// find returns a session. The caller holds mu.
func (s *Store) find(name string) (*session, error) {
	s.sweep()
	x := s.sessions[name]
	if x == nil {
		return nil, status.Errorf(codes.NotFound, "there is no session %q; list the sessions", name)
	}
	return x, nil
}

// use returns an active session and extends its lifetime. The caller holds mu.
func (s *Store) use(name string) (*session, error) {
	x, err := s.find(name)
	if err != nil {
		return nil, err
	}
	if !x.ended.IsZero() {
		return nil, status.Errorf(codes.FailedPrecondition, "%s has expired; create another", name)
	}
	x.touch(s.now())
	return x, nil
}

func (x *session) touch(now time.Time) {
	x.pb.LastAccessTime, x.pb.ExpireTime = timestamppb.New(now), timestamppb.New(now.Add(Life))
}

// Get returns a session. Expired sessions remain available for ten minutes.
func (s *Store) Get(name string) (*macosusesdk.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return x.clone(), nil
}

// List returns all sessions, sorted by name.
func (s *Store) List() (list []*macosusesdk.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for _, name := range slices.Sorted(maps.Keys(s.sessions)) {
		list = append(list, s.sessions[name].clone())
	}
	return list
}

// Delete ends a session. If the session has an open transaction, force is required. The changes of
// the transaction are kept.
func (s *Store) Delete(name string, force bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.find(name)
	if err != nil {
		return err
	}
	if x.tx != nil && !force {
		return status.Errorf(codes.FailedPrecondition, "%s is in the transaction %s; commit it, roll it back, or delete with force", name, x.pb.TransactionId)
	}
	delete(s.sessions, name)
	return nil
}

// Snapshot returns a session, its history, and the applications and observations that it used.
func (s *Store) Snapshot(name string) (*macosusesdk.SessionSnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.find(name)
	if err != nil {
		return nil, err
	}
	snap := &macosusesdk.SessionSnapshot{Session: x.clone()}
	apps, observations := make(map[string]bool), make(map[string]bool)
	for _, op := range x.history {
		snap.History = append(snap.History, proto.CloneOf(op.pb))
		if m := resource.FindStringSubmatch(op.within); m != nil {
			apps[m[1]] = true
			if m[2] != "" {
				observations[m[0]] = true
			}
		}
	}
	snap.Applications, snap.Observations = slices.Sorted(maps.Keys(apps)), slices.Sorted(maps.Keys(observations))
	return snap, nil
}

var resource = lazyregexp.New(`^(applications/\d+)(/observations/[^/]+)?`)
