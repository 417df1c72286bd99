package busfilter

import "fmt"

// An answer determines how the filter handles the reply to a call.
type answer struct {
	kind answerKind
	name string // for asksOwner
}

type answerKind byte

const (
	passes      answerKind = iota
	passesFiles            // the reply may contain open files
	gives                  // the reply assigns the client's name
	lists                  // the reply lists names; the client gets those that it may see
	asksOwner              // the client asks for the owner of a name
	ownCall                // the filter itself asks; the client does not get the reply
)

// up passes on or refuses a message from the client.
func (l *link) up(h *header, r *reader) error {
	if h.serial >= own {
		return errMalformed
	}
	if h.kind != methodCall { // a client receives no calls, so it sends no replies, and it may not send signals
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

// expect records a call. The serial number of a pending call must not be used again, because the
// reply to one call would be treated as the reply to the other.
func (l *link) expect(serial uint32, a answer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, again := l.pending[serial]; again || len(l.pending) == maxPending {
		return errMalformed
	}
	l.pending[serial] = a
	return nil
}

// allows reports whether the client may make a call, and how to handle the reply.
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

// asksBus is allows for calls to the bus itself.
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

// visible reports whether the client may see a name. The caller holds mu.
func (l *link) visible(name string) bool {
	if !unique(name) {
		return name == driver || l.rules.sees(name)
	}
	return l.rules.Peers || name == l.name || len(l.owned(name)) > 0
}

// owned returns the names in the rules that a connection owns. The caller holds mu.
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
