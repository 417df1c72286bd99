package client

import (
	"context"
	"slices"

	"goated/internal/sandbox"
	"goated/internal/sandbox/hold"
)

// askHostPermission asks the user whether a server may reach a host, while connections of a call wait for the
// answer. It passes the answer on like a [hold.Ask].
func askHostPermission(ctx context.Context, s *server, host string, answer func(hold.Answer)) {
	s.host.wg.Go(func() {
		allowed := slices.Contains(currentConfig(s).Grant.Hosts, host) || s.calls.AskHost(ctx, host, func(ctx context.Context) bool {
			answered := func() {}
			defer func() { answered() }()
			return s.host.o.Process.Permit(ctx, askerOf(s), sandbox.Permission{Kind: sandbox.ToHost, Host: host}, func() {
				answered = s.countQuestion(ctx)
				answer(hold.Held)
			})
		})
		if !allowed {
			answer(hold.Refused)
			return
		}
		s.host.list.update(func() {
			if !slices.Contains(s.allowed, host) {
				s.allowed = append(s.allowed, host)
			}
			s.view.Policy = s.view.Policy.With(sandbox.Grant{Hosts: []string{host}})
		})
		answer(hold.Allowed)
	})
}

// currentConfig returns a server's current configuration: it includes the tools that the user turned off
// and the hosts that the user allowed since the start.
func currentConfig(s *server) Config {
	s.host.list.mu.Lock()
	defer s.host.list.mu.Unlock()
	c := s.config
	c.Off = s.off
	c.Grant.Hosts = slices.Concat(c.Grant.Hosts, s.allowed)
	return c
}
