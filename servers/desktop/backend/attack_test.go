package backend_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

// No other program can reach a client's sessions, operations, observations and macros. A backend in
// this process listens nowhere.
func TestNoOtherClientReachesTheService(t *testing.T) {
	listening := func() map[string]bool {
		all := make(map[string]bool)
		mine := sockets(t)
		for _, file := range []string{"tcp", "tcp6", "unix"} {
			text, err := os.ReadFile("/proc/self/net/" + file)
			if err != nil {
				t.Skip("the system does not list its sockets: ", err)
			}
			for line := range strings.Lines(string(text)) {
				f := strings.Fields(line)
				switch {
				case file == "unix" && len(f) > 6 && f[3] == "00010000" && mine[f[6]],
					file != "unix" && len(f) > 9 && f[3] == "0A" && mine[f[9]]:
					all[line] = true
				}
			}
		}
		return all
	}
	before := listening()
	b := open(t, nil)
	l, err := link.Local(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if err := l.Call(t.Context(), "ListSessions", new(pb.ListSessionsRequest), new(pb.ListSessionsResponse)); err != nil {
		t.Fatal(err)
	}
	for line := range listening() {
		if !before[line] {
			t.Errorf("the backend listens: %s", line)
		}
	}
}

// sockets returns the inodes of this process's sockets.
func sockets(t *testing.T) map[string]bool {
	t.Helper()
	all := make(map[string]bool)
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("the system does not list its files: ", err)
	}
	for _, f := range files {
		to, _ := os.Readlink("/proc/self/fd/" + f.Name()) // the file may be closed by now
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			all[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return all
}

// Every list refuses a page token that was made for another list. It refuses the token with another
// filter, order or parent, in another method or server, and with any changed bit.
func TestPageTokensHoldForTheirListOnly(t *testing.T) {
	b, other := open(t, nil), open(t, nil)
	ctx := soon(t)
	d := desk.Open(t, nil)
	w := terminal(t, b, d, "first of two")
	terminal(t, b, d, "second of two")
	for i := range 3 {
		must[*pb.Session](t)(b.CreateSession(ctx, &pb.CreateSessionRequest{SessionId: fmt.Sprintf("s-%d", i)}))
		must[*pb.Macro](t)(b.CreateMacro(ctx, &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: "m", Actions: []*pb.MacroAction{{Action: &pb.MacroAction_Wait{Wait: &pb.WaitAction{}}}}}}))
		must[*pb.Input](t)(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: &pb.Point{X: float64(i), Y: 1}}}})))
		must[*longrunningpb.Operation](t)(b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: "applications/-", Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}}))
	}
	app := parent(w.GetName())
	// Each list as a function of its page token.
	lists := map[string]func(b pb.Backend, token string) (proto.Message, error){
		"applications": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListApplications(ctx, &pb.ListApplicationsRequest{PageSize: 1, PageToken: token})
		},
		"applications in order": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListApplications(ctx, &pb.ListApplicationsRequest{PageSize: 1, PageToken: token, OrderBy: "pid desc"})
		},
		"applications by name": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListApplications(ctx, &pb.ListApplicationsRequest{PageSize: 1, PageToken: token, Filter: `display_name = "XTerm"`})
		},
		"sessions": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListSessions(ctx, &pb.ListSessionsRequest{PageSize: 1, PageToken: token})
		},
		"macros": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListMacros(ctx, &pb.ListMacrosRequest{PageSize: 1, PageToken: token})
		},
		"inputs": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListInputs(ctx, &pb.ListInputsRequest{PageSize: 1, PageToken: token})
		},
		"inputs that ended": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListInputs(ctx, &pb.ListInputsRequest{PageSize: 1, PageToken: token, Filter: "state = completed"})
		},
		"all inputs": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListInputs(ctx, &pb.ListInputsRequest{Parent: "applications/-", PageSize: 1, PageToken: token})
		},
		"observations": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListObservations(ctx, &pb.ListObservationsRequest{Parent: "applications/-", PageSize: 1, PageToken: token})
		},
		"windows": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app, PageSize: 1, PageToken: token})
		},
		"displays": func(b pb.Backend, token string) (proto.Message, error) {
			return b.ListDisplays(ctx, &pb.ListDisplaysRequest{PageSize: 1, PageToken: token})
		},
	}
	next := func(m proto.Message) string {
		r := m.ProtoReflect()
		return r.Get(r.Descriptor().Fields().ByName("next_page_token")).String()
	}
	made := 0
	for of, list := range lists {
		token := next(must[proto.Message](t)(list(b, "")))
		if token == "" {
			continue // the list has only one page, such as that of displays
		}
		made++
		if _, err := list(b, token); err != nil {
			t.Errorf("the token of %s: %v", of, err)
		}
		_, err := list(other, token)
		refused(t, "the token of "+of+" at another server", err, codes.InvalidArgument, "page token")
		for by, another := range lists {
			if by != of {
				_, err := another(b, token)
				refused(t, "the token of "+of+" for "+by, err, codes.InvalidArgument, "page token")
			}
		}
		data, _ := base64.RawURLEncoding.DecodeString(token)
		for i := range data {
			for bit := range 8 {
				data[i] ^= 1 << bit
				_, err := list(b, base64.RawURLEncoding.EncodeToString(data))
				refused(t, fmt.Sprintf("the token of %s with bit %d of byte %d changed", of, bit, i), err, codes.InvalidArgument)
				data[i] ^= 1 << bit
			}
		}
		for _, bad := range []string{token + "A", token + "=", token[1:], strings.ToLower(token) + "!", " " + token, "AA", strings.Repeat("A", 1<<20)} {
			_, err := list(b, bad)
			refused(t, fmt.Sprintf("%.40q for %s", bad, of), err, codes.InvalidArgument)
		}
	}
	if made < 8 {
		t.Errorf("%d lists have a second page", made)
	}
}

// The data that clients store is limited, so that no client fills the memory. There is a limit for
// each request without a picture, and for all macros and sessions together.
func TestWhatClientsStoreIsBounded(t *testing.T) {
	b := open(t, nil)
	l, err := link.Local(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	large := strings.Repeat("x", 2<<20)
	action := &pb.InputAction{InputType: &pb.InputAction_TypeText{TypeText: &pb.TextInput{Text: large}}}
	for name, req := range map[string]proto.Message{
		"CreateMacro":       &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: large, Actions: []*pb.MacroAction{{Action: &pb.MacroAction_Input{Input: action}}}}},
		"CreateSession":     &pb.CreateSessionRequest{Session: &pb.Session{DisplayName: large}},
		"CreateInput":       &pb.CreateInputRequest{Input: &pb.Input{Action: action}},
		"OpenApplication":   &pb.OpenApplicationRequest{Id: large},
		"CreateObservation": &pb.CreateObservationRequest{Parent: "applications/-", Observation: &pb.Observation{Type: 2, Filter: &pb.ObservationFilter{Roles: []string{large}}}},
		"FindElements":      &pb.FindElementsRequest{Parent: "applications/1", Selector: text(large)},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := l.Call(ctx, name, req, new(pb.Window))
		cancel()
		if f := new(link.Failure); !asFailure(err, &f) || f.Code != codes.InvalidArgument || !strings.Contains(f.Message, "bytes") {
			t.Errorf("%s with 2 MiB: %v", name, err)
		}
	}
	full := codes.OK
	for i := 0; i < 500 && full == codes.OK; i++ {
		_, err := b.CreateMacro(t.Context(), &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: large[:1<<19], Actions: []*pb.MacroAction{{Action: &pb.MacroAction_Wait{Wait: &pb.WaitAction{}}}}}})
		full = status.Code(err)
		if i > 100 {
			t.Fatalf("%d macros of half a MiB are stored", i)
		}
	}
	if full != codes.ResourceExhausted {
		t.Errorf("too many macros: %v", full)
	}
	if err := l.Call(t.Context(), "ListMacros", new(pb.ListMacrosRequest), new(pb.ListMacrosResponse)); err != nil {
		t.Errorf("the list of the macros: %v", err)
	}
	_, err = b.CreateSession(t.Context(), &pb.CreateSessionRequest{Session: &pb.Session{Metadata: map[string]string{"a": large[:1<<17]}}})
	refused(t, "a session with 128 KiB", err, codes.InvalidArgument, "bytes")
}

func asFailure(err error, f **link.Failure) bool {
	is, ok := err.(*link.Failure)
	*f = is
	return ok
}
