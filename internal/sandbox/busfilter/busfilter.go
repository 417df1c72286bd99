// Package busfilter lets a confined process talk to a D-Bus message bus, and there to a few
// programs only, by a few methods. The bus of a session leads to programs that start others,
// such as systemd, or keep passwords: its socket alone is a way out of a sandbox.
//
// It owns the connections of its clients to a bus, the goroutines that pass messages, and a
// socket without a name in the file system. It must not know which programs a server needs:
// that is in the [Rules] it gets. It must not know of processes: its caller takes the socket of
// a client, see [Filter.Connect].
//
// The filter takes no part in a call. It reads the header of each message, and of calls of the
// bus itself and of properties also the first argument. It passes the bytes of a message
// unchanged, or not at all. What it refuses gets org.freedesktop.DBus.Error.AccessDenied. What
// violates the D-Bus Specification ends the connection, as with a bus.
package busfilter

// A Bus is a message bus that a process may connect to.
type Bus struct {
	// Sockets are its paths or abstract names, or patterns of them, as those of a policy.
	Sockets []string `json:"sockets"`
	Rules   Rules    `json:"rules"`
}

// Rules say what passes. The zero value lets a client connect, and no more.
type Rules struct {
	// Talk are the programs that the client may call, and whose signals it gets.
	Talk []Talk `json:"talk,omitempty"`
	// See are further names whose owners the client may ask for and follow. A name that ends
	// with ".*" stands for all that begin like it.
	See []string `json:"see,omitempty"`
	// Peers lets the client call every connection by its unique name as the first of Talk, and
	// see all names: on a bus where each program is such a peer.
	Peers bool `json:"peers,omitempty"`
}

// A Talk is what a client may do with the owner of a name.
type Talk struct {
	Name    string   `json:"name"`
	Calls   []Call   `json:"calls,omitempty"`
	Signals []string `json:"signals,omitempty"` // interfaces; ".*" at the end as in Rules.See
}

// A Call is a group of methods.
type Call struct {
	Interface string   `json:"interface"`
	Members   []string `json:"members,omitempty"` // empty: all of the interface
	// First are the values of the first argument; empty: any. Those of
	// org.freedesktop.DBus.Properties begin with an interface.
	First []string `json:"first,omitempty"`
	Files bool     `json:"files,omitempty"` // an answer may hold open files
}
