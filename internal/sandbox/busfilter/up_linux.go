package busfilter

import "fmt"

// An answer is what becomes of the answer to a call.
type answer struct {
	kind answerKind
	name string // of asksOwner
}

type answerKind byte

const (
	passes      answerKind = iota
	passesFiles            // with open files
	gives                  // the name of the client
	lists                  // names, of which the client gets those that it may see
	asksOwner              // of a name: the client asks
	ownCall                // the filter asks: the client does not get it
)

// up passes or refuses a message of the client.
func (l *link) up(h *header, r *reader) error {
	if h.serial >= own {
		return errMalformed
	}
	if h.kind != methodCall { // it answers nothing, because no call reaches it, and signals nothing
		return r.skip(h.size(), nil)
	}
	switch {
	case h.sender != "":
		return l.refuse(h, r, "the bus sets the sender of a message, not the sandboxed program")
	case h.files != 0:
		return l.refuse(h, r, "goated's sandbox passes no open files to other programs")
	}
	var failed error
	a, ok := l.allows(h, argument(h, r, &failed))
	if failed != nil {
		return failed
	}
	if !ok {
		return l.refuse(h, r, fmt.Sprintf("goated's sandbox does not let this program call %s.%s of %s", h.iface, h.member, h.destination))
	}
	if h.flags&noReply == 0 {
		if err := l.expect(h.serial, a); err != nil {
			return err
		}
	}
	return l.bus.pass(r, h.size())
}

// expect notes a call. A serial number of a call without an answer must not come again: the
// answer to one call would pass as that to the other.
func (l *link) expect(serial uint32, a answer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, again := l.pending[serial]; again || len(l.pending) == maxPending {
		return errMalformed
	}
	l.pending[serial] = a
	return nil
}

// allows reports whether the client may make a call, and what becomes of the answer.
func (l *link) allows(h *header, first func() (string, bool)) (a answer, ok bool) {
	if h.destination == driver {
		return l.asksBus(h, first)
	}
	l.mu.Lock()
	owned := l.owned(h.destination)
	l.mu.Unlock()
	c := call(l.rules.talk(h.destination, owned), h, first)
	if c == nil {
		return a, false
	}
	if c.Files {
		a.kind = passesFiles
	}
	return a, true
}

// asksBus is allows for calls of the bus itself.
func (l *link) asksBus(h *header, first func() (string, bool)) (a answer, ok bool) {
	if h.iface != driver {
		return a, false
	}
	switch h.member {
	case "Hello":
		l.mu.Lock()
		defer l.mu.Unlock()
		ok = !l.hello
		l.hello = true
		return answer{kind: gives}, ok
	case "ListNames":
		return answer{kind: lists}, true
	}
	name, isText := first()
	if !isText || h.signature != "s" {
		return a, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch h.member {
	case "AddMatch", "RemoveMatch":
		return a, l.rules.matches(name, l.visible)
	case "GetNameOwner":
		return answer{kind: asksOwner, name: name}, l.visible(name)
	case "NameHasOwner", "GetConnectionUnixProcessID":
		return a, l.visible(name)
	}
	return a, false
}

// visible reports whether the client may know of a name. The caller holds mu.
func (l *link) visible(name string) bool {
	if !unique(name) {
		return name == driver || l.rules.sees(name)
	}
	return l.rules.Peers || name == l.name || len(l.owned(name)) > 0
}

// owned returns the names of a connection that rules list. The caller holds mu.
func (l *link) owned(destination string) (names []string) {
	if !unique(destination) {
		return nil
	}
	for name, owner := range l.owners {
		if owner == destination {
			names = append(names, name)
		}
	}
	return names
}
