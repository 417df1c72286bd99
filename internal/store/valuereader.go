package store

import (
	"fmt"
	"io"
	"sync/atomic"
)

// A valueReader reads a text of JSON values and limits the size of one value, because the decoder keeps
// it in memory.
type valueReader struct {
	r     io.Reader
	limit int64
	start int64        // of the value that is being read
	read  atomic.Int64 // bytes; another goroutine may load it
}

// begin says where the next value begins.
func (v *valueReader) begin(start int64) { v.start = start }

// Read implements [io.Reader].
func (v *valueReader) Read(p []byte) (int, error) {
	left := v.start + v.limit - v.read.Load()
	if left <= 0 {
		return 0, fmt.Errorf("a value is larger than %d MiB", v.limit>>20)
	}
	n, err := v.r.Read(p[:min(int64(len(p)), left)])
	v.read.Add(int64(n))
	return n, err
}
