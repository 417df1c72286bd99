package desktop

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// An error of the key says that the text is already in. The model used to send both again, and the
// text stood there twice.
func TestAnErrorOfTheKeySaysThatTheTextIsIn(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("CreateInput", func(r proto.Message) (proto.Message, error) {
		in := proto.CloneOf(r.(*pb.CreateInputRequest).GetInput())
		if in.GetAction().GetPressKey() != nil {
			return nil, status.Error(codes.InvalidArgument, `there is no key "retrun"`)
		}
		in.State = pb.Input_STATE_COMPLETED
		return in, nil
	})
	said := func(args, reason, want string) {
		t.Helper()
		text, data, failed := do(t, s, "type", args)
		e, _ := data["error"].(map[string]any)
		if !failed || text != want || e["reason"] != reason || !strings.Contains(e["hint"].(string), "Do not send the text again") {
			t.Errorf("%s answers\n%s, want\n%s\n%v", args, text, want, e)
		}
	}
	f.on("PerformElementAction", func(proto.Message) (proto.Message, error) {
		return &pb.PerformElementActionResponse{Success: true}, nil
	})
	const bad = `The text is in, but pressing the key failed: there is no key "retrun" (INVALID_ARGUMENT). Do not send the text again. Correct the arguments and call again.`
	said(`{"text":"hello","key":"retrun"}`, "INVALID_ARGUMENT", bad)
	said(`{"text":"hello","key":"retrun","element":"12:e"}`, "INVALID_ARGUMENT", bad)
	said(`{"text":"hello","key":"retrun","seconds":1}`, "INVALID_ARGUMENT", bad)
	f.on("PerformElementAction", func(proto.Message) (proto.Message, error) {
		return nil, status.Error(codes.NotFound, "the window is gone; look again")
	})
	said(`{"text":"hello","key":"return","element":"12:e"}`, "NOT_FOUND",
		"The text is in, but pressing the key failed: the window is gone (NOT_FOUND). Do not send the text again. Look again.")
	f.on("PerformElementAction", func(proto.Message) (proto.Message, error) {
		return nil, status.Error(codes.FailedPrecondition, "it takes no focus")
	})
	if text, _, failed := do(t, s, "type", `{"text":"hello","key":"return","element":"12:e"}`); !failed || !strings.Contains(text, "Do not send the text again. Press the element") {
		t.Error(text)
	}
	if text, _, failed := do(t, s, "type", `{"key":"retrun"}`); !failed || strings.Contains(text, "the text") {
		t.Errorf("without a text: %s", text)
	}
}
