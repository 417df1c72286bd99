package diagnose

import "goated/internal/sandbox"

// A Diagnosis is a cause with its arguments. The zero value is an unknown cause.
type Diagnosis struct {
	Cause Cause
	Args  Args
}

// Args are the values that a cause's sentence, remedy and actions need. Values that a cause does
// not need are zero.
type Args struct {
	Subject string // what is missing or in the way; see the comments of the causes
	Text    string // what the server, its interpreter or the protocol said
	Product string // the name of the software that contains a missing program, such as "Node.js"

	Owner      Process            // the process that uses the port
	Permission sandbox.Permission // the permission that the sandbox refused
	Memory     uint64             // the sandbox's memory limit in bytes; 0 means none

	// FromTerminal means that a terminal may have a PATH that goated lacks.
	FromTerminal bool

	Open     string     // the source file to open
	Page     string     // the URL of a download page for whatever is missing
	Heard    bool       // nothing but the server's output names the missing item
	Found    string     // the folder that contains a missing program
	Variable string     // the variable to set in the server's environment
	Address  string     // another URL that the user may have meant; empty if unknown
	Commands [][]string // commands that fix the problem, in this order
	Dir      string     // the working directory of Commands; empty means any
}

// A Process is a running program.
type Process struct {
	Name string
	PID  int // 0 if unknown
}

// An ActionKind is a way to fix a server that does not run.
type ActionKind int

// The kinds of action. Each comment describes [Action.Target].
const (
	Run         ActionKind = iota + 1 // commands in a terminal
	SetVariable                       // the variable
	EditLaunch                        // change the server's arguments and environment
	LookIn                            // the folder to look for programs in
	OpenPage                          // the address
	OpenFile                          // the file's path
	Unconfine                         // run the server without the sandbox
	Report                            // read the log, or send its authors a report
)

// An Action is something that the user can do about a cause.
type Action struct {
	Kind     ActionKind
	Target   string
	Commands [][]string // of Run
	Dir      string     // of Run; empty means any
}

// Actions returns what the user can do, from the most to the least specific action.
func (d Diagnosis) Actions() []Action {
	var all []Action
	add := func(ok bool, a Action) {
		if ok {
			all = append(all, a)
		}
	}
	can := causes[d.Cause]
	add(len(d.Args.Commands) > 0, Action{Kind: Run, Commands: d.Args.Commands, Dir: d.Args.Dir})
	add(d.Args.Variable != "", Action{Kind: SetVariable, Target: d.Args.Variable})
	add(can.edits && d.Args.Variable == "", Action{Kind: EditLaunch})
	add(d.Args.Found != "", Action{Kind: LookIn, Target: d.Args.Found})
	add(d.Args.Page != "", Action{Kind: OpenPage, Target: d.Args.Page})
	add(d.Args.Open != "", Action{Kind: OpenFile, Target: d.Args.Open})
	add(can.frees, Action{Kind: Unconfine})
	add(can.reports, Action{Kind: Report})
	return all
}
