// Package macosusesdk is the protocol between the desktop server and a program that drives
// a desktop: the messages and the gRPC service macosusesdk.v1.MacosUse of seed 002.
//
// Its code is generated from servers/desktop/proto: after a change there, run "make proto".
// [Backend] is the seam. The package owns names and numbers, and must not know clients or
// backends.
package macosusesdk

import "cloud.google.com/go/longrunning/autogen/longrunningpb"

// A Backend drives a desktop. A server in front of it speaks gRPC, so that a backend may
// be in the same process or on another machine. Methods are safe for concurrent use and
// report failures with the codes of package status.
//
// Operations serves the long-running operations that OpenApplication, WaitElement,
// WaitElementState, CreateObservation and ExecuteMacro return. The response of an operation
// is of the type that operation_info names in macos_use.proto.
//
// An implementation may consist of several structs, one for each kind of resource, that one
// struct embeds. It then embeds [UnimplementedMacosUseServer] one level deeper than them, so
// that their methods win.
type Backend interface {
	MacosUseServer
	Operations() longrunningpb.OperationsServer
	// Close ends all that the backend started: goroutines, connections, held keys and
	// remapped keys. No call is under way any more.
	Close() error
}

// PartialHeader is the header of an answer from which elements are missing. Each of its
// values is a sentence, quoted as by strconv.QuoteToASCII, that says why.
const PartialHeader = "goated-partial"

// NoteHeader is the header of an answer with remarks about it, such as that a picture may show
// passwords. Each of its values is a sentence without its full stop, quoted like those of
// [PartialHeader].
const NoteHeader = "goated-note"
