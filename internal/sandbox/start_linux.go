//go:build amd64 || arm64

package sandbox

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/browser"
	"goated/internal/sandbox/busfilter"
	"goated/internal/sandbox/caller"
	"goated/internal/sandbox/nameserver"
)

// Probe returns what this kernel can enforce. It takes about ten microseconds.
func Probe() Status {
	s := Status{Landlock: landlockABI(), Limits: caller.Traceable(), Root: os.Getuid() == 0}
	s.Files = s.Landlock > 0
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	s.Calls = errno == 0
	action = unix.SECCOMP_RET_USER_NOTIF // for a notifier
	_, _, errno = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	s.Signals = landlockSignals(s.Landlock) || errno == 0
	s.Guards = s.Files && s.Calls && errno == 0
	// The notifier takes over sockets with a debugger's permission.
	s.Hosts = s.Calls && s.Limits
	return s
}

// connects reports whether a notifier can restrict the process to its hosts. If the process may
// also use Unix sockets, that requires Landlock's TCP rules: see connector.handle.
func (p Policy) connects(s Status) bool {
	return p.Network == NamedHosts && s.Hosts && (!p.Desktop || s.Landlock >= 4)
}

// Start starts cmd under p. It replaces cmd.Start, and the caller uses cmd as usual otherwise. The
// returned [Sandbox] reports what the kernel enforces, which may be nothing: see [Probe]. Start
// creates the writable folders of p and sets STATE_DIRECTORY and TMPDIR.
//
// Neither the process nor its descendants can undo the restrictions. They get none of goated's
// inherited open files. The caller must close the Sandbox.
//
// Start calls refused, if it is not nil, for each host that the process may not reach. It does so
// once per host, from any goroutine, until Close.
//
// With SysProcAttr.Pdeathsig, the thread that started the process stays until the process exits,
// because the kernel treats the thread's exit as the parent's.
func Start(cmd *exec.Cmd, p Policy, refused func(Permission)) (*Sandbox, error) {
	return Probe().start(cmd, p, refused)
}

// start is Start, but enforces only features that are in status.
func (status Status) start(cmd *exec.Cmd, p Policy, refused func(Permission)) (*Sandbox, error) {
	s := newSandbox(status, refused)
	s.registries = parseHosts(p.Packages.Registries)
	if p.Bubble {
		if err := enterBubble(); err != nil {
			return nil, err
		}
	}
	s.Env = p.environment() // with the paths in the form that the user knows
	p = p.prepare()
	p.Desktop = p.Desktop || p.ConnectsLocally() && !s.Hosts // without the notifier, nothing can distinguish sockets
	n := &confiningThread{cmd: cmd, policy: p, stopped: make(chan struct{}), limited: make(chan error), started: make(chan error, 1)}
	var watch *observer
	if s.Files {
		var err error
		if watch, err = s.restrictFiles(n); err != nil {
			return nil, err
		}
		defer n.rules.close()
	}
	if p.Bubble {
		s.Wrap, s.Signals = Wrapped, true // signals reach no process outside the bubble
	}
	network, err := s.restrictNetwork(n)
	if n.private != nil {
		defer n.private.close()
	}
	if err != nil {
		watch.close()
		s.Close()
		return nil, err
	}
	cmd.Env = append(cmd.Environ(), s.Env...)
	n.status = s.Status
	err = n.begin()
	s.Sums = n.sums
	pid := 0
	if cmd.Process != nil { // the process started
		pid = cmd.Process.Pid
	}
	if n.listener != 0 {
		s.cleanups = append([]func(){newNotifier(n.listener, pid, p, network, watch).close}, s.cleanups...)
	} else {
		watch.close()
		s.Hosts, s.Guards = false, false // the process has no sockets
		s.Signals = p.Bubble || landlockSignals(s.Landlock)
	}
	if p.Network == NamedHosts && (network == nil || network.proxy == nil) {
		s.Hosts = false
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// restrictFiles creates the Landlock rules for n, which the caller closes, and an observer of
// refusals.
func (s *Sandbox) restrictFiles(n *confiningThread) (*observer, error) {
	rules, j, err := newRulesets(n.policy, s.Status)
	if err != nil {
		return nil, err
	}
	n.rules = rules
	return newObserver(j, n.policy, n.cmd.Environ(), s.report), nil
}

// restrictNetwork creates the connector for the sockets of n, if the policy needs one. The caller
// must close n's private network.
func (s *Sandbox) restrictNetwork(n *confiningThread) (*connector, error) {
	var network *connector
	switch p := n.policy; {
	case p.connects(s.Status):
		var err error
		if network, err = s.connectThroughProxy(n); err != nil {
			return nil, err
		}
	case p.ConnectsLocally():
		network = &connector{slots: make(chan struct{}, maxConnects), stopped: make(chan struct{})}
	}
	if network != nil && !n.policy.Desktop {
		network.sockets, network.buses = n.policy.Sockets, n.policy.Buses
		if len(n.policy.Buses) > 0 {
			filter, err := busfilter.New()
			if err != nil {
				return nil, err
			}
			network.filter, s.cleanups = filter, append(s.cleanups, filter.Close)
		}
	}
	return network, nil
}

// connectThroughProxy starts the proxy that reaches the policy's hosts. The proxy runs in a private
// network if the kernel allows one, otherwise in this computer's network.
func (s *Sandbox) connectThroughProxy(n *confiningThread) (*connector, error) {
	p := n.policy
	private, err := newPrivateNet(p.Bubble && p.Offline() && !p.Asks)
	var proxy *proxy
	to := p.reachable()
	if to.unanswered, to.ask = s.reportUnanswered, p.Ask; p.Browser {
		to.ask = p.Ask.Except(browser.IsService)
	}
	if err == nil {
		n.private = private
		if p.Bubble && private.fd >= 0 {
			if err := hideFirst(); err != nil {
				return nil, err
			}
		}
		s.Net = true
		proxy = newProxyOn(private.proxy, to, s.reportRefused)
	} else if proxy, err = newProxy(to, s.reportRefused); err != nil {
		return nil, err
	}
	s.cleanups = append(s.cleanups, proxy.close)
	s.Env = append(s.Env, proxy.environment(n.cmd.Environ(), s.Net)...)
	network := &connector{proxy: proxy, refused: s.reportRefused, desktop: p.Desktop, slots: make(chan struct{}, maxConnects), stopped: make(chan struct{})}
	n.connects = true
	if n.private != nil {
		if p.Browser && !p.Desktop {
			network.local = p.writable()
		}
		network.private = nameserver.Start(private.names, private.long, canonicalName)
		s.cleanups = append(s.cleanups, network.private.Close)
	}
	return network, nil
}
