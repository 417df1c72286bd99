//go:build linux

package main

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The size of the vectors in qdrant's model, and of its vocabulary here.
const (
	vectorSize = 384
	wordCount  = 3
)

// tinyModel returns a model in the ONNX format that gives each word a different vector: one Gather
// from a table. The field numbers are from onnx.proto3.
func tinyModel() []byte {
	table := make([]byte, 0, 4*vectorSize*wordCount)
	for i := range vectorSize * wordCount {
		table = binary.LittleEndian.AppendUint32(table, math.Float32bits(float32(1+i%7*(1+i/vectorSize))))
	}
	const float32Type, int64Type = 1, 7
	tensor := message(number(1, wordCount), number(1, vectorSize), number(2, float32Type), text(8, "table"), text(9, string(table)))
	gather := message(text(1, "table"), text(1, "input_ids"), text(2, "last_hidden_state"), text(4, "Gather"))
	graph := message(text(1, string(gather)), text(2, "words"), text(5, string(tensor)),
		text(11, string(valueInfo("input_ids", int64Type, "batch", "words"))),
		text(12, string(valueInfo("last_hidden_state", float32Type, "batch", "words", "vector"))))
	return message(number(1, 8), text(7, string(graph)), text(8, string(message(text(1, ""), number(2, 13)))))
}

// valueInfo describes an input or an output of a graph with named dimensions.
func valueInfo(name string, elements uint64, dimensions ...string) []byte {
	var shape []byte
	for _, d := range dimensions {
		shape = append(shape, text(1, string(text(2, d)))...)
	}
	tensor := message(number(1, elements), text(2, string(shape)))
	return message(text(1, name), text(2, string(text(1, string(tensor)))))
}

func message(fields ...[]byte) (out []byte) {
	for _, f := range fields {
		out = append(out, f...)
	}
	return out
}

func number(field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), n)
}

func text(field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), s)
}
