package deputy

// A handler makes the change of one system call.
type handler = func(*Deputy, Call, [6]uint64) (Answer, error)

// oldCalls adds nothing: this architecture lacks the old calls.
func oldCalls(to map[uintptr]handler) map[uintptr]handler { return to }
