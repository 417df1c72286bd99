package busfilter

import "strings"

// down passes on or drops a message for the client.
func (l *link) down(h *header, r *reader) error {
	files, err := r.take(int(min(h.files, maxFiles+1)))
	if err != nil {
		return err
	}
	defer closeFiles(files)
	l.mu.Lock()
	name := l.name
	l.mu.Unlock()
	switch {
	case h.kind == methodReturn || h.kind == callError:
		return l.answered(h, r, files)
	case h.destination != "" && h.destination != name: // it is addressed to another client
		return r.skip(h.size(), nil)
	case h.kind == methodCall:
		if h.flags&noReply == 0 {
			refusal := draft{kind: callError, serial: l.next(), replySerial: h.serial, destination: h.sender, errorName: denied, argument: "this program runs in goated's sandbox and answers no calls"}
			if err := l.bus.send(refusal.bytes()); err != nil {
				return err
			}
		}
		return r.skip(h.size(), nil)
	}
	passes := false
	if h.kind == signal && len(files) == 0 && h.files == 0 {
		if passes, err = l.hears(h, r); err != nil {
			return err
		}
	}
	if !passes {
		return r.skip(h.size(), nil)
	}
	return l.client.pass(r, h.size())
}

// answered passes on the reply to a call.
func (l *link) answered(h *header, r *reader, files []int) error {
	l.mu.Lock()
	a, ok := l.pending[h.replySerial]
	delete(l.pending, h.replySerial)
	if ok && a.kind == gives && h.kind == methodReturn {
		l.name = h.destination
	}
	name := l.name
	l.mu.Unlock()
	if !ok || h.destination != name && a.kind != gives {
		return r.skip(h.size(), nil)
	}
	if a.name != "" && h.kind == methodReturn {
		var failed error
		owner, ok := argument(h, r, &failed)()
		if failed != nil {
			return failed
		}
		if ok {
			l.own(a.name, owner)
		}
	}
	switch {
	case a.kind == ownCall:
		return r.skip(h.size(), nil)
	case a.kind == gives && h.kind == methodReturn:
		if err := l.follow(); err != nil {
			return err
		}
	case a.kind == lists && h.kind == methodReturn && !l.rules.Peers:
		return l.listed(h, r)
	case h.files > 0 && (a.kind != passesFiles || h.size() > maxLook):
		refusal := draft{kind: callError, serial: l.next(), replySerial: h.replySerial, sender: driver, destination: name, errorName: denied, argument: "goated's sandbox does not pass open files in this answer"}
		if err := r.skip(h.size(), nil); err != nil {
			return err
		}
		return l.client.send(refusal.bytes())
	case h.files > 0:
		message, err := r.look(h.size())
		if err != nil {
			return err
		}
		return l.client.passFiles(r, message, files)
	}
	return l.client.pass(r, h.size())
}

// listed passes on the names on the bus that the client may see.
func (l *link) listed(h *header, r *reader) error {
	if h.size() > maxNames {
		return errMalformed
	}
	message, err := r.look(h.size())
	if err != nil {
		return err
	}
	l.mu.Lock()
	message, ok := withNames(h, message, l.visible)
	l.mu.Unlock()
	if !ok {
		return errMalformed
	}
	if err := r.skip(h.size(), nil); err != nil {
		return err
	}
	return l.client.send(message)
}

// follow makes the bus report from now on who owns the names in the rules.
func (l *link) follow() error {
	for _, name := range l.rules.names() {
		key := "arg0"
		begin, below := strings.CutSuffix(name, anyBelow)
		if below {
			key = "arg0namespace"
		}
		calls := []draft{{member: "AddMatch", argument: "type='signal',sender='" + driver + "',member='" + ownerFlow + "'," + key + "='" + begin + "'"}}
		if !below {
			calls = append(calls, draft{member: "GetNameOwner", argument: name})
		}
		for _, d := range calls {
			d.kind, d.serial, d.destination = methodCall, l.next(), driver
			a := answer{kind: ownCall}
			if d.member == "GetNameOwner" {
				a.name = name
			}
			if err := l.expect(d.serial, a); err != nil {
				return err
			}
			if err := l.bus.send(d.bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// own records the owner of a name. owner is empty if there is none.
func (l *link) own(name, owner string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rules.Peers || unique(name) || !l.rules.sees(name) {
		return
	}
	delete(l.owners, name)
	if owner != "" {
		l.owners[name] = owner
	}
}

// hears reports whether the client may get a signal.
func (l *link) hears(h *header, r *reader) (bool, error) {
	if h.sender != driver {
		l.mu.Lock()
		owned := l.owned(h.sender)
		l.mu.Unlock()
		return signals(l.rules.talk(h.sender, owned), h.iface), nil
	}
	if h.iface != driver {
		return false, nil
	}
	switch h.member {
	case "NameAcquired", "NameLost":
		return true, nil
	case ownerFlow:
	default:
		return false, nil
	}
	b, err := r.look(min(h.size(), h.head+maxLook))
	if err != nil {
		return false, err
	}
	body := b[h.head:]
	name, at, ok := h.text(body, 0)
	var owner string
	if ok {
		_, at, ok = h.text(body, at)
	}
	if ok {
		owner, _, ok = h.text(body, at)
	}
	if !ok || h.signature != "sss" {
		return false, errMalformed
	}
	l.own(name, owner)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.visible(name), nil
}
