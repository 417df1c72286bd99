// Package replay repeats the recorded actions of the desktop tools on the current desktop.
// Processes, windows and elements have different numbers there, so the package finds them by the
// names in the record.
//
// The package acts only through the protocol, so each action passes the guard, the journal and the
// user's halt. It refuses an action whose target would differ from the record. It must not know how
// to operate a desktop, or who asks the user.
package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"goated/servers/desktop/journal"
	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

const (
	// appears is the default time to wait for an application, a window or an element.
	appears = 10 * time.Second
	// longestPause is the longest pause between two actions that a replay reproduces.
	longestPause = 2 * time.Second
	// longest is the maximum duration of one action, such as a shell command.
	longest = 10 * time.Minute
)

// AskEachMethods lists the methods for which the user must agree to every single call.
var AskEachMethods = []string{"ExecuteShellCommand", "GetClipboard"}

// Options defines what is replayed and where.
type Options struct {
	Entries []journal.Entry

	// Open opens the desktop. The desktop calls begins before each action, and skips the action if
	// begins returns an error. It calls ends after each action.
	Open func(begins func(journal.Entry) error, ends func(journal.Entry)) (pb.Backend, error)

	// Program returns the name of a process's program.
	Program func(pid int) string

	// Ask asks the user about an action with a method in [AskEachMethods].
	Ask func(context.Context, journal.Entry) error

	// Wait is how long to wait for an application, a window or an element; 10 seconds if 0.
	Wait time.Duration

	// Done is called after each performed action. It may be nil.
	Done func(journal.Entry)
}

// Choose returns the actions that Run performs, which are those that succeeded in the record. It
// fails if one of them cannot be performed again.
func Choose(entries []journal.Entry) (list []journal.Entry, err error) {
	for _, e := range entries {
		if e.Error != "" {
			continue
		}
		why := ""
		switch _, err := request(e); {
		case e.Redacted:
			why = "parts of it were left out of the journal, because they are secret or too long"
		case e.Method == "RollbackTransaction":
			why = "its transaction has ended"
		case err != nil:
			why = err.Error()
		}
		if why != "" {
			return nil, fmt.Errorf("action %d (%s) can't be replayed: %s. Choose the actions before or after it", e.Seq, e.Method, why)
		}
		list = append(list, e)
	}
	return list, nil
}

// A run is one replay.
type run struct {
	o    Options
	link *link.Link
	pids map[string]string // maps recorded applications to current ones

	now  journal.Entry // recorded action that is being performed
	last journal.Entry // its new record
}

// Run performs the actions. It stops at the first one that fails or ends differently, and returns
// the number of performed actions.
func Run(ctx context.Context, o Options) (n int, err error) {
	list, err := Choose(o.Entries)
	if err != nil {
		return 0, err
	}
	r := &run{o: o, pids: make(map[string]string)}
	b, err := o.Open(r.checkTarget, func(e journal.Entry) { r.last = e })
	if err != nil {
		return 0, err
	}
	if r.link, err = link.Local(b, link.DefaultTimeout); err != nil {
		return 0, errors.Join(err, b.Close())
	}
	defer func() { err = errors.Join(err, r.link.Close()) }()
	return journal.Replay(ctx, list, r.perform)
}

// checkTarget refuses an action if its target differs from the record.
func (r *run) checkTarget(e journal.Entry) error {
	if now := r.toRecorded(e.Target); e.Method != r.now.Method || now != r.now.Target {
		return status.Errorf(codes.FailedPrecondition, "it was about %s then, and would be about %s now", r.now.Target, now)
	}
	return nil
}

// request returns the request of a recorded action.
func request(e journal.Entry) (proto.Message, error) {
	m := method(e.Method)
	if m == nil {
		return nil, errors.New("the service has no such action")
	}
	t, err := protoregistry.GlobalTypes.FindMessageByName(m.Input().FullName())
	if err != nil {
		return nil, err
	}
	req := t.New().Interface()
	if err := protojson.Unmarshal(e.Request, req); err != nil {
		return nil, fmt.Errorf("its request does not fit: %w", err)
	}
	return req, nil
}

func method(name string) protoreflect.MethodDescriptor {
	return pb.File_macosusesdk_v1_macos_use_proto.Services().ByName("MacosUse").Methods().ByName(protoreflect.Name(name))
}

// perform performs an action. It returns how the target looks afterwards, with the application
// names of the record.
func (r *run) perform(ctx context.Context, e journal.Entry) (after string, err error) {
	if err := r.pause(ctx, e); err != nil {
		return "", err
	}
	r.now, r.last = e, journal.Entry{}
	req, err := request(e)
	if err != nil {
		return "", err
	}
	if err := r.rename(ctx, req.ProtoReflect()); err != nil {
		return "", err
	}
	if slices.Contains(AskEachMethods, e.Method) {
		if err := r.o.Ask(ctx, e); err != nil {
			return "", err
		}
	}
	if err := r.call(ctx, e.Method, req); err != nil {
		return "", err
	}
	r.recordApplication(e)
	if r.o.Done != nil {
		r.o.Done(e)
	}
	if e.Method == "CreateInput" {
		return e.After, nil // how a screen looks right after an input depends on timing
	}
	return r.toRecorded(r.last.After), nil
}

// call calls a method. If the method returns an operation, call waits for it.
func (r *run) call(ctx context.Context, name string, req proto.Message) error {
	if name == "OpenApplication" {
		return r.link.Run(ctx, name, req, new(pb.OpenApplicationResponse), longest, nil)
	}
	t, err := protoregistry.GlobalTypes.FindMessageByName(method(name).Output().FullName())
	if err != nil {
		return err
	}
	return r.link.CallFor(ctx, name, req, t.New().Interface(), longest)
}

// pause waits as long as the pause in the record, up to a limit.
func (r *run) pause(ctx context.Context, e journal.Entry) error {
	if r.now.Seq == 0 {
		return nil
	}
	return sleep(ctx, min(e.Time.Sub(r.now.Time.Add(r.now.Took)), longestPause))
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
