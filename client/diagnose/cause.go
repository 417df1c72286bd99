package diagnose

// A Cause is the most likely reason why a server does not run. internal/wording has one sentence
// and one remedy for each cause.
type Cause string

// The causes. Each comment describes [Args.Subject], if the cause has one.
const (
	Unknown Cause = ""

	// The system could not start the server.
	ProgramMissing     Cause = "program missing"     // the program
	ProgramElsewhere   Cause = "program not on PATH" // the program
	ProgramForbidden   Cause = "program forbidden"   // the program's path
	ProgramGone        Cause = "program gone"        // the program's path
	WrongFormat        Cause = "wrong format"        // the program's path
	InterpreterMissing Cause = "interpreter missing" // the program's path
	WindowsLines       Cause = "windows lines"       // the path of the program or the script with CRLF line endings
	ScriptMissing      Cause = "script missing"      // the script's path
	SandboxMissing     Cause = "sandbox missing"
	StartCancelled     Cause = "start cancelled"

	// The interpreter or the compiler rejected the script.
	PythonModule      Cause = "python module missing"    // the module
	ModuleEnvironment Cause = "module of an environment" // the module; it is missing in the environment that runs the server
	ModuleOfCommand   Cause = "module of a command"      // the module; the text is the Python of the virtual environment that has to start the script
	ModuleOfProgram   Cause = "module of a program"      // the module; the first line of the program has to name the Python in the text
	ModuleToRun       Cause = "module to run"            // the module after python -m; the text is the Python of the environment that runs it, if any
	ModuleElsewhere   Cause = "module elsewhere"         // the module; goated does not know where to install it
	LibraryUndeclared Cause = "library not declared"     // the module; the text is its package, if that is known
	OlderLibrary      Cause = "older library needed"
	OlderInstalled    Cause = "older library comes"    // like OlderLibrary, but uvx can install the older version
	LibraryMismatch   Cause = "library does not fit"   // the library
	NodePackage       Cause = "node package missing"   // the package
	GoPackage         Cause = "go package missing"     // the package
	BuildMissing      Cause = "build missing"          // the file that a build makes
	InstallIncomplete Cause = "install incomplete"     // the module that is missing in a package that npx installed
	ImportBroken      Cause = "import broken"          // the module that a package installed by npx imports but cannot find
	InstallScript     Cause = "install script failed"  // the package; the text is its script
	ScriptSkipped     Cause = "install script skipped" // the package; npm can install it without its script
	PackageUnknown    Cause = "package unknown"        // the package that is in no registry
	VersionUnknown    Cause = "version unknown"        // the package and its version
	PythonVersion     Cause = "other python needed"    // the versions that work, such as ">=3.12"; the text is the installed version
	ScriptUnreadable  Cause = "script unreadable"      // the script's path
	ScriptUnopened    Cause = "script unopened"        // the script's path
	SyntaxError       Cause = "syntax error"           // the place, such as "a.py:3"
	ImportSyntax      Cause = "import in a script"     // the place
	TypeScriptUnknown Cause = "typescript unknown"     // the version of Node
	CompileError      Cause = "compile error"          // the place

	// Something around the server is missing or in the way.
	PortTaken        Cause = "port taken"        // the port
	VariableMissing  Cause = "variable missing"  // the variable
	ValueMissing     Cause = "value missing"     // the variables whose values goated stores but cannot read; the text is the reason
	SettingMissing   Cause = "setting missing"   // the setting, by the server's own name
	FirstRunNeeded   Cause = "first run needed"  // the command or argument, in the server's words
	ArgumentMissing  Cause = "argument missing"  // the argument, or several arguments
	ArgumentUnknown  Cause = "argument unknown"  // the argument, or several arguments
	ArgumentsRefused Cause = "arguments refused" // the text is the server's message
	OutOfMemory      Cause = "out of memory"
	FileMissing      Cause = "file missing"    // the file
	FileForbidden    Cause = "file forbidden"  // the file; empty if unknown
	LimitReached     Cause = "limit reached"   // the sandbox limit, such as the number of open files
	AccessRefused    Cause = "access refused"  // the path that the sandbox refused
	HostRefused      Cause = "host refused"    // the host that the sandbox refused
	NetworkRefused   Cause = "network refused" // by the sandbox
	SocketRefused    Cause = "socket refused"  // the socket of another program, such as Docker's
	ContainerRefused Cause = "container refused"
	SSHRefused       Cause = "ssh refused"     // the network, the keys or the agent, which ssh needs
	SSHLogin         Cause = "ssh login"       // ssh asks the user something, or has no key that the other computer accepts
	HostUnanswered   Cause = "host unanswered" // the host that the sandbox allows but that did not respond

	// The server runs, but does not speak MCP.
	Flood            Cause = "flood"
	NotMCP           Cause = "not MCP" // the last line that was not a message
	StdinClosed      Cause = "stdin closed"
	StdoutClosed     Cause = "stdout closed"
	InputUnread      Cause = "input unread"
	NoAnswer         Cause = "no answer"
	NoTools          Cause = "no answer to tools/list"
	ToolsRefused     Cause = "tools/list refused"     // the error code
	EndedInitialized Cause = "ended after initialize" // the exit status
	ProtocolError    Cause = "protocol error"
	ProtocolVersion  Cause = "protocol version"   // the versions that the server supports; the text has goated's
	Refused          Cause = "connection refused" // the error code
	EndedEarly       Cause = "ended early"
	HTTPServer       Cause = "HTTP server" // the address is the server's URL

	// The server has a URL, and goated did not reach it or it does not speak MCP. The subject is
	// the host.
	HostUnknown        Cause = "host unknown"
	NothingListens     Cause = "nothing listens"
	HostSilent         Cause = "host silent"
	CertificateInvalid Cause = "certificate invalid"
	HTTPSUnknown       Cause = "https not spoken"
	HTTPSNeeded        Cause = "https needed"
	AddressUnknown     Cause = "address unknown"
	AddressNotMCP      Cause = "address not MCP"
	SignInNeeded       Cause = "sign-in needed"
	SignInImpossible   Cause = "sign-in impossible" // the text says why
	KeyRefused         Cause = "key refused"        // the text is the name of its header
	AccessDenied       Cause = "access denied"
	ServerMoved        Cause = "server moved"
	ServerFailing      Cause = "server failing"
	ServerGone         Cause = "server gone"
	SessionLost        Cause = "session lost"

	// The server exited unexpectedly.
	UncaughtError   Cause = "uncaught error" // the place
	Killed          Cause = "killed"
	Crashed         Cause = "crashed" // the signal
	NotStarted      Cause = "not started"
	EndedWithOutput Cause = "ended with output"
	EndedSilently   Cause = "ended silently"
)

// traits list the general actions that help against a cause. Actions that need an argument follow
// from [Args].
type traits struct {
	names   bool // the sentence names [Args.Subject]
	opens   bool // looking at the script may help
	edits   bool // other arguments or variables may help
	frees   bool // the server runs only without the sandbox
	reports bool // the authors can fix or explain it
}

// causes holds every cause except Unknown.
var causes = map[Cause]traits{
	ProgramMissing:     {names: true},
	ProgramElsewhere:   {names: true},
	ProgramForbidden:   {names: true},
	ProgramGone:        {names: true, edits: true},
	WrongFormat:        {},
	InterpreterMissing: {},
	WindowsLines:       {names: true},
	ScriptMissing:      {names: true, edits: true},
	SandboxMissing:     {},
	StartCancelled:     {},

	PythonModule:      {names: true},
	ModuleEnvironment: {names: true},
	ModuleOfCommand:   {names: true, edits: true},
	ModuleOfProgram:   {names: true},
	ModuleToRun:       {names: true, edits: true},
	ModuleElsewhere:   {names: true, edits: true},
	LibraryMismatch:   {names: true, edits: true, reports: true},
	NodePackage:       {names: true},
	GoPackage:         {names: true},
	LibraryUndeclared: {names: true, edits: true, reports: true},
	OlderLibrary:      {edits: true},
	OlderInstalled:    {edits: true},
	BuildMissing:      {names: true, edits: true},
	InstallIncomplete: {names: true},
	ImportBroken:      {names: true, edits: true, reports: true},
	InstallScript:     {names: true, edits: true, reports: true},
	ScriptSkipped:     {names: true},
	PackageUnknown:    {names: true, edits: true},
	VersionUnknown:    {names: true, edits: true},
	PythonVersion:     {names: true, edits: true},
	ScriptUnreadable:  {names: true},
	ScriptUnopened:    {names: true, edits: true},
	SyntaxError:       {names: true},
	ImportSyntax:      {names: true},
	TypeScriptUnknown: {names: true},
	CompileError:      {names: true},

	PortTaken:        {edits: true},
	VariableMissing:  {names: true, edits: true},
	ValueMissing:     {names: true},
	SettingMissing:   {names: true, edits: true},
	FirstRunNeeded:   {names: true},
	ArgumentMissing:  {names: true, edits: true},
	ArgumentUnknown:  {names: true, edits: true},
	ArgumentsRefused: {edits: true},
	OutOfMemory:      {reports: true},
	FileMissing:      {names: true, edits: true},
	FileForbidden:    {},
	LimitReached:     {names: true},
	AccessRefused:    {},
	HostRefused:      {},
	NetworkRefused:   {},
	SocketRefused:    {names: true, frees: true},
	ContainerRefused: {frees: true},
	SSHRefused:       {frees: true},
	SSHLogin:         {edits: true},
	HostUnanswered:   {names: true, edits: true},

	Flood:            {opens: true},
	NotMCP:           {opens: true},
	StdinClosed:      {opens: true},
	StdoutClosed:     {opens: true},
	InputUnread:      {opens: true, reports: true},
	NoAnswer:         {opens: true, reports: true},
	NoTools:          {opens: true, reports: true},
	ToolsRefused:     {opens: true, reports: true},
	EndedInitialized: {names: true, opens: true, reports: true},
	ProtocolError:    {opens: true, reports: true},
	ProtocolVersion:  {names: true},
	Refused:          {opens: true, reports: true},
	EndedEarly:       {opens: true},
	HTTPServer:       {opens: true, edits: true},

	HostUnknown:        {names: true, edits: true},
	NothingListens:     {names: true, edits: true},
	HostSilent:         {names: true, edits: true},
	CertificateInvalid: {names: true, edits: true},
	HTTPSUnknown:       {names: true, edits: true},
	HTTPSNeeded:        {names: true, edits: true},
	AddressUnknown:     {names: true, edits: true},
	AddressNotMCP:      {names: true, edits: true},
	SignInNeeded:       {names: true, edits: true},
	SignInImpossible:   {names: true, edits: true},
	KeyRefused:         {names: true, edits: true},
	AccessDenied:       {names: true, edits: true},
	ServerMoved:        {names: true, edits: true},
	ServerFailing:      {names: true, reports: true},
	ServerGone:         {names: true},
	SessionLost:        {names: true, reports: true},

	UncaughtError:   {names: true, reports: true},
	Killed:          {reports: true},
	Crashed:         {names: true, reports: true},
	NotStarted:      {},
	EndedWithOutput: {reports: true},
	EndedSilently:   {reports: true},
}

// Names reports whether the cause's sentence names a subject. A diagnosis with this cause then
// always has one.
func (c Cause) Names() bool { return causes[c].names }

// Causes returns every cause except Unknown, in no order.
func Causes() []Cause {
	all := make([]Cause, 0, len(causes))
	for c := range causes {
		all = append(all, c)
	}
	return all
}

// AboutFile reports whether the server failed because the file [Args.Subject] does not exist.
func (c Cause) AboutFile() bool {
	switch c {
	case ProgramGone, ScriptMissing, BuildMissing, ScriptUnopened, FileMissing:
		return true
	}
	return false
}

// BeyondPermissions reports whether no sandbox permission lets the server run. An HTTP server does
// not speak MCP over stdio. No permission lets a server start containers or use another program's
// socket, such as that of ssh's agent. ModuleToRun means that the module is missing: a module that a
// permission would reveal has another cause.
func (c Cause) BeyondPermissions() bool {
	switch c {
	case HTTPServer, SocketRefused, ContainerRefused, SSHRefused, ModuleToRun:
		return true
	}
	return false
}
