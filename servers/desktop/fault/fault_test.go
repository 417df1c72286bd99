package fault_test

import (
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/fault"
)

// The error of a failed step reads as one sentence. It used to be "the dialog did not close: rpc
// error: code = DeadlineExceeded desc = …".
func TestAWrappedErrorHasItsCodeAndNoOther(t *testing.T) {
	late := status.Error(codes.DeadlineExceeded, "no dialog closed")
	got := status.Convert(fault.Status(fmt.Errorf("the dialog %q: %w", "Open", late)))
	if got.Code() != codes.DeadlineExceeded || got.Message() != `the dialog "Open": no dialog closed` {
		t.Error(got)
	}
	if fault.Status(late).Error() != late.Error() || fault.Status(nil) != nil {
		t.Errorf("%v, %v", fault.Status(late), fault.Status(nil))
	}
}
