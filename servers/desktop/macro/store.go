package macro

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/resourcename"
)

// The limits of a store.
const (
	MaxStored = 500      // macros
	MaxBytes  = 16 << 20 // of all macros together, in bytes
)

// A Store stores macros. It is safe for concurrent use. Its errors have codes of package status.
type Store struct {
	mu   sync.Mutex
	next int
	all  map[string]*pb.Macro // by name
}

// check returns an error if a macro cannot be stored. before is the macro that it replaces, or nil.
// The caller holds mu.
func (s *Store) check(m, before *pb.Macro) error {
	if m.GetDisplayName() == "" {
		return status.Error(codes.InvalidArgument, "the macro has no display_name")
	}
	if err := Check(m); err != nil {
		return status.Errorf(codes.InvalidArgument, "%v", err)
	}
	total := proto.Size(m) - proto.Size(before)
	for _, o := range s.all {
		total += proto.Size(o)
	}
	if total > MaxBytes {
		return status.Errorf(codes.ResourceExhausted, "all macros together would have %d bytes, and at most %d are allowed; delete some", total, MaxBytes)
	}
	return nil
}

// Create stores a copy of a macro. If id is empty, the store chooses one.
func (s *Store) Create(id string, given *pb.Macro) (*pb.Macro, error) {
	m := proto.CloneOf(given)
	if err := resourcename.CheckID("macro_id", id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) >= MaxStored {
		return nil, status.Errorf(codes.ResourceExhausted, "there are %d macros already; delete some", len(s.all))
	}
	if err := s.check(m, nil); err != nil {
		return nil, err
	}
	for given := id; id == "" || given == "" && s.all["macros/"+id] != nil; {
		s.next++
		id = fmt.Sprintf("macro-%d", s.next)
	}
	m.Name = "macros/" + id
	if s.all[m.Name] != nil {
		return nil, status.Errorf(codes.AlreadyExists, "there is a macro %s already", m.Name)
	}
	m.CreateTime, m.ExecutionCount = timestamppb.Now(), 0
	m.UpdateTime = m.CreateTime
	if s.all == nil {
		s.all = make(map[string]*pb.Macro)
	}
	s.all[m.Name] = m
	return proto.CloneOf(m), nil
}

// get returns a macro. The caller holds mu.
func (s *Store) get(name string) (*pb.Macro, error) {
	m := s.all[name]
	if m == nil {
		return nil, status.Errorf(codes.NotFound, "there is no macro %q; list the macros", name)
	}
	return m, nil
}

// Get returns a copy of a macro.
func (s *Store) Get(name string) (*pb.Macro, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.get(name)
	return proto.CloneOf(m), err
}

// Use is like Get, for running the macro.
func (s *Store) Use(name string) (*pb.Macro, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.get(name)
	if err != nil {
		return nil, err
	}
	m.ExecutionCount++
	return proto.CloneOf(m), nil
}

// List returns copies of the macros, sorted by name.
func (s *Store) List() []*pb.Macro {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Collect(maps.Values(s.all))
	for i, m := range list {
		list[i] = proto.CloneOf(m)
	}
	slices.SortFunc(list, func(a, b *pb.Macro) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return list
}

// Update changes the fields of a macro that paths names, or all fields that are set if paths is
// empty.
func (s *Store) Update(give *pb.Macro, paths []string) (*pb.Macro, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.get(give.GetName())
	if err != nil {
		return nil, err
	}
	m := proto.CloneOf(old)
	if len(paths) == 1 && paths[0] == "*" {
		paths = []string{"display_name", "description", "actions", "parameters", "tags"}
	}
	if len(paths) == 0 {
		for field, set := range map[string]bool{"display_name": give.GetDisplayName() != "", "description": give.GetDescription() != "",
			"actions": len(give.GetActions()) > 0, "parameters": len(give.GetParameters()) > 0, "tags": len(give.GetTags()) > 0} {
			if set {
				paths = append(paths, field)
			}
		}
	}
	for _, path := range paths {
		switch path {
		case "display_name":
			m.DisplayName = give.GetDisplayName()
		case "description":
			m.Description = give.GetDescription()
		case "actions":
			m.Actions = proto.CloneOf(give).GetActions()
		case "parameters":
			m.Parameters = proto.CloneOf(give).GetParameters()
		case "tags":
			m.Tags = slices.Clone(give.GetTags())
		default:
			return nil, status.Errorf(codes.InvalidArgument, "the field %q of a macro cannot be changed", path)
		}
	}
	if err := s.check(m, old); err != nil {
		return nil, err
	}
	m.UpdateTime = timestamppb.Now()
	s.all[m.GetName()] = m
	return proto.CloneOf(m), nil
}

// Delete deletes a macro.
func (s *Store) Delete(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.get(name)
	delete(s.all, name)
	return err
}
