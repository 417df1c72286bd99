//go:build unix

package stdio

import "syscall"

// reusable reports whether a message may be modified after it is written.
const reusable = true

// writeAvailable writes as much as the pipe accepts without blocking, and nothing after a deadline. Most
// messages fit, and need neither a deadline nor a goroutine that watches their context. write
// handles the rest. The caller holds the token.
func (w *writer) writeAvailable(stdin syscall.Conn, data []byte) (n int) {
	if w.raw == nil {
		raw, err := stdin.SyscallConn()
		if err != nil {
			return 0
		}
		w.raw, w.try = raw, func(fd uintptr) bool { // write will see this error again
			w.taken, _ = syscall.Write(int(fd), w.data)
			return true // never wait
		}
	}
	w.data, w.taken = data, 0
	_ = w.raw.Write(w.try)
	w.data = nil
	return max(0, w.taken)
}
