// Package remark tells the caller of the desktop service about an answer, beside the answer: why it is
// not whole, and what else a caller has to know.
//
// It owns the form of the headers that hold the remarks. It must not know what a call does.
package remark

import (
	"context"
	"slices"
	"strconv"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/enumeration"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/operations"
)

// Partial says why elements are missing. In an operation the last look counts.
func Partial(ctx context.Context, why []string) {
	md := metadata.MD{}
	for _, w := range slices.Compact(why) {
		md.Append(pb.PartialHeader, strconv.QuoteToASCII(w))
	}
	operations.SetHeader(ctx, md)
}

// Add says a sentence, without its full stop.
func Add(ctx context.Context, sentence string) {
	operations.SetHeader(ctx, metadata.Pairs(pb.NoteHeader, strconv.QuoteToASCII(sentence)))
}

// Unused names those of some fields that a request has although they have no effect here, and why.
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
