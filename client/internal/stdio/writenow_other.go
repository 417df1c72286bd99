//go:build !unix

package stdio

// reusable reports whether a message may be modified after it is written.
const reusable = false

// writeAvailable writes nothing and leaves everything to write.
func (w *writer) writeAvailable(any, []byte) int { return 0 }
