// Package busfilter lets a confined process communicate over a D-Bus message bus, but only with a
// few programs and methods. A session bus gives access to programs that start other programs, such
// as systemd, or that store passwords. Its plain socket would be a way out of a sandbox.
//
// It owns its clients' connections to a bus, the goroutines that pass messages, and a socket
// without a name in the file system. It must not know which programs a server needs: the [Rules]
// contain that. It must not know processes: its caller takes the client's socket, see
// [Filter.Connect].
//
// The filter never takes part in a call. It reads the header of each message, and for calls about
// the bus itself and about properties also the first argument. It passes a message unchanged or not
// at all. A refused call gets org.freedesktop.DBus.Error.AccessDenied. A message that violates the
// D-Bus Specification ends the connection, as on a bus.
package busfilter

// A Bus is a message bus that a process may connect to.
type Bus struct {
	// Sockets are its paths or abstract names, or patterns, as in a policy.
	Sockets []string `json:"sockets"`
	Rules   Rules    `json:"rules"`
}

// Rules determine which messages pass. The zero value lets a client connect and nothing more.
type Rules struct {
	// Talk lists the programs that the client may call and whose signals it gets.
	Talk []Talk `json:"talk,omitempty"`
	// See lists additional names whose owners the client may query and track. A name that ends with
	// ".*" stands for all names with that prefix.
	See []string `json:"see,omitempty"`
	// Peers lets the client see all names, and lets it call every connection by its unique name
	// under the first rule in Talk. It is for a bus on which each program is such a peer.
	Peers bool `json:"peers,omitempty"`
}

// A Talk lists what a client may do with the owner of a name.
type Talk struct {
	Name    string   `json:"name"`
	Calls   []Call   `json:"calls,omitempty"`
	Signals []string `json:"signals,omitempty"` // interfaces; a ".*" at the end works like in Rules.See
}

// A Call is a group of methods.
type Call struct {
	Interface string   `json:"interface"`
	Members   []string `json:"members,omitempty"` // empty means all methods of the interface
	// First lists the allowed values of the first argument. Empty allows any. For
	// org.freedesktop.DBus.Properties the first argument is an interface.
	First []string `json:"first,omitempty"`
	Files bool     `json:"files,omitempty"` // a reply may contain open files
}
