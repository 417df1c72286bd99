// Package remark adds remarks to a reply of the desktop service, such as why the reply is
// incomplete, or what else the caller should know.
//
// The package owns the format of the headers that contain the remarks. It must not know what a call
// does.
package remark

import (
	"context"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/enumeration"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/operations"
)

// Partial adds the reasons why elements are missing. In an operation, the reasons of the last look
// count.
func Partial(ctx context.Context, why []string) {
	var quoted []string
	for _, w := range slices.Compact(why) {
		quoted = append(quoted, strconv.QuoteToASCII(w))
	}
	operations.SetHeader(ctx, pb.PartialHeader, quoted...)
}

// Add adds a sentence, given without its period. It keeps earlier sentences.
func Add(ctx context.Context, sentence string) {
	operations.AddHeader(ctx, pb.NoteHeader, strconv.QuoteToASCII(sentence))
}

// Unused adds a remark that some of the fields are set in the request but have no effect, and why.
func Unused(ctx context.Context, request proto.Message, why string, fields ...protoreflect.Name) {
	m := request.ProtoReflect()
	var given []string
	for _, name := range fields {
		if m.Has(m.Descriptor().Fields().ByName(name)) {
			given = append(given, string(name))
		}
	}
	if given != nil {
		Add(ctx, enumeration.And(given)+" had no effect, because "+why)
	}
}
