package backend_test

import (
	"testing"

	"google.golang.org/protobuf/types/known/emptypb"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/element"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/resourcename"
)

// emptyAgain writes into an empty field and rolls that back. The field used to get its label as its text.
func emptyAgain(t *testing.T, w *waylandDesk, b *backend.Backend, form, id string) {
	t.Helper()
	ctx := soon(t)
	user, err := atspi.Connect(ctx, atspi.Options{Session: w.buses.Session})
	if err != nil {
		t.Fatal(err)
	}
	defer user.Close()
	pid, _, err := resourcename.ParseParent(form)
	if err != nil {
		t.Fatal(err)
	}
	a := must[atspi.Application](t)(user.Application(ctx, pid))
	tree := must[*atspi.Tree](t)(user.Snapshot(ctx, a))
	tree.Fetch(ctx, []int{2}, element.AllFields)
	target, _ := user.Target(tree.Element(2).ID)
	write := func(text string) {
		t.Helper()
		must[*pb.WriteElementValueResponse](t)(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: form, Target: &pb.WriteElementValueRequest_ElementId{ElementId: id}, Value: text}))
	}
	write("")
	rolledBack(t, b, func() { write("new") })
	if text, _, err := user.Content(ctx, target); text != "" || err != nil {
		t.Errorf("the field was empty, and has %q, %v", text, err)
	}
}

// rolledBack does something in a transaction and rolls it back.
func rolledBack(t *testing.T, b *backend.Backend, do func()) {
	t.Helper()
	s := must[*pb.Session](t)(b.CreateSession(t.Context(), new(pb.CreateSessionRequest)))
	begun := must[*pb.BeginTransactionResponse](t)(b.BeginTransaction(t.Context(), &pb.BeginTransactionRequest{Session: s.GetName()}))
	do()
	must[*pb.Transaction](t)(b.RollbackTransaction(t.Context(), &pb.RollbackTransactionRequest{Name: s.GetName(), TransactionId: begun.GetTransactionId()}))
	must[*emptypb.Empty](t)(b.DeleteSession(t.Context(), &pb.DeleteSessionRequest{Name: s.GetName()}))
}
