package wording

import (
	"errors"
	"fmt"
	"strings"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/programs"
)

// ReasonText returns the most likely reason why a server does not run, as a sentence. It returns "" if err
// has no diagnosis, or if the text of err is already complete.
func ReasonText(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Kind == client.ErrReach || e.Report.Cause == diagnose.ValueMissing || client.Quarantined(err) {
		return ""
	}
	if e.Kind == client.ErrNotFound { // names the script and says that it is missing
		return ""
	}
	return CauseText(e.Report.Diagnosis)
}

// CauseText returns the sentence for a cause, or "" for [diagnose.Unknown].
func CauseText(d diagnose.Diagnosis) string {
	if t, ok := texts[d.Cause]; ok {
		return t.why(d.Args)
	}
	return ""
}

// Remedy returns what the user can do about a cause, or "" for [diagnose.Unknown].
func Remedy(d diagnose.Diagnosis) string {
	if t, ok := texts[d.Cause]; ok {
		return t.remedy(d.Args)
	}
	return ""
}

// A causeText holds the sentence and the remedy for a cause. In it, "it" means the server.
type causeText struct {
	why    func(a diagnose.Args) string
	remedy func(a diagnose.Args) string
}

// fixedText returns a function that returns a fixed sentence.
func fixedText(sentence string) func(diagnose.Args) string {
	return func(diagnose.Args) string { return sentence }
}

// fixedTextUnsure works like fixedText, but adds a warning if only the server's output mentions the missing thing.
func fixedTextUnsure(sentence string) func(diagnose.Args) string {
	return func(a diagnose.Args) string {
		if !a.Heard {
			return sentence
		}
		return "Only the server's own output names it. Look at the package before you install it: an installer runs outside the sandbox. " + sentence
	}
}

// subjectText returns a function that formats a sentence with one %s for the subject of the cause.
func subjectText(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string { return fmt.Sprintf(format, a.Subject) }
}

// subjectAndQuote returns a function that formats a sentence with one %s for the subject and one %s for the
// quoted text.
func subjectAndQuote(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string { return fmt.Sprintf(format, a.Subject, a.Text) }
}

// subjectWithQuote returns a function that formats a sentence with one %s for the subject, and appends the
// quoted text, if any.
func subjectWithQuote(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string {
		sentence := fmt.Sprintf(format, a.Subject)
		if a.Text != "" {
			sentence += ": " + a.Text
		}
		return sentence + "."
	}
}

// otherAddressOr returns a function that suggests another address if there is one, and otherwise returns
// the advice.
func otherAddressOr(advice string) func(diagnose.Args) string {
	return func(a diagnose.Args) string {
		if a.Address == "" {
			return advice
		}
		return "Connect to " + a.Address + " instead: an MCP server answers there."
	}
}

const (
	runInTerminal = "Run its command in a terminal to see its output."
	noModule      = "The Python module %s is not installed."
	runUnconfined = "If you trust it like a program that you installed, run it without the sandbox. In a terminal, write --no-sandbox after its --server."
)

// texts has an entry for each cause.
var texts = map[diagnose.Cause]causeText{
	diagnose.ProgramMissing: {subjectText("goated can't find the program %s, which starts this server."), installProgram},
	diagnose.ProgramElsewhere: {func(a diagnose.Args) string {
		return a.Subject + " is in " + a.Found + ", which is not on goated's PATH."
	}, subjectText("Let goated look there too, or start goated from a terminal where %s runs.")},
	diagnose.ProgramForbidden: {subjectText("You don't have permission to run %s."), fixedText("Give yourself permission to read it and to run it.")},
	diagnose.ProgramGone:      {subjectText("%s does not exist."), fixedText("Check the path and try again.")},
	diagnose.WrongFormat:      {fixedText("Your system can't run this program: it is made for another kind of machine, or it is not a program."), fixedText("Get the version of the program for this machine.")},
	diagnose.InterpreterMissing: {fixedText("The program needs an interpreter that is not on this machine. A script names it in its first line."),
		fixedText("Install that interpreter, or correct the first line.")},
	diagnose.WindowsLines:   {subjectText("%s has Windows line endings. Your system reads the extra character at the end of a line as part of the interpreter's name or of a command."), fixedText("Let your editor save it with Unix line endings (LF), or convert it, and restart the server.")},
	diagnose.ScriptMissing:  {subjectText("%s does not exist."), fixedText("Check the path. If the script has moved, put it back, or connect the server from where it is now.")},
	diagnose.SandboxMissing: {fixedText("Your system can't sandbox it, so it could do everything that you can."), fixedText("If you trust it, allow it to run without a sandbox.")},
	diagnose.StartCancelled: {fixedText("Its start was cancelled."), fixedText("Restart it.")},

	diagnose.PythonModule:      {subjectText(noModule), fixedTextUnsure("Install it in a .venv folder beside the script. goated uses that folder if it exists.")},
	diagnose.ModuleEnvironment: {subjectText(noModule), fixedTextUnsure("Install it in the virtual environment of the Python that runs the server.")},
	diagnose.ModuleOfCommand: {subjectText(noModule), func(a diagnose.Args) string {
		return fixedTextUnsure("Install it in a .venv folder beside the script. Then start the script with the Python of that folder: " + a.Text + ".")(a)
	}},
	diagnose.ModuleOfProgram: {subjectText(noModule), func(a diagnose.Args) string {
		return fixedTextUnsure("Install it in a .venv folder beside the script. Then write #!" + a.Text + " in the first line of the script.")(a)
	}},
	diagnose.ModuleToRun:       {subjectText(noModule), moduleToRun},
	diagnose.ModuleElsewhere:   {subjectText(noModule), fixedTextUnsure("Install it for the Python that runs the server. With uv run, write --with and the name of its package after run.")},
	diagnose.LibraryUndeclared: {subjectText("It needs the Python library %s, which is missing from the dependencies of its package."), declareLibrary},
	diagnose.OlderLibrary: {fixedText("It is written for another version of the Python SDK of MCP than the one that is installed, most likely for version 1."),
		fixedText("Start it with version 1: write --with 'mcp<2' after uvx, or install 'mcp<2' in the .venv beside the script.")},
	diagnose.OlderInstalled: {fixedText("It is written for version 1 of the Python SDK of MCP, but its package does not require that version."), fixedText("Restart it: goated installs it with version 1.")},
	diagnose.LibraryMismatch: {subjectText("It does not work with the version of the Python library %s that was installed with it."),
		subjectText("Try another version of the server, or an older %[1]s: with uvx, write the version after --with, such as --with '%[1]s<2'. Its authors know which version works.")},
	diagnose.NodePackage:       {subjectText("The package %s is not installed."), fixedTextUnsure("Install it with npm in the script's folder.")},
	diagnose.GoPackage:         {subjectText("The Go package %s is not in the script's module."), fixedText("Add it to the module with go get, in the script's folder.")},
	diagnose.BuildMissing:      {subjectText("The file %s is missing."), fixedText("If the server is written in TypeScript, build it first: run npm run build in its folder.")},
	diagnose.InstallIncomplete: {subjectText("Its package is not installed completely: %s is missing."), fixedText("Restart it: goated has removed the package, and installs it again.")},
	diagnose.ImportBroken: {subjectText("Its package imports %s, which does not exist under that name in the version that was installed."),
		fixedText("Try another version of the server: write it after the name of its package, as in weather@1.2.0. Its authors know which version works.")},
	diagnose.InstallScript:  {subjectAndQuote("The install script of %s failed: %s."), fixedText("Run its command in a terminal to see what the script lacks, or install the package there.")},
	diagnose.ScriptSkipped:  {subjectAndQuote("The install script of %s failed: %s."), fixedText("Restart it: goated installs it without that script.")},
	diagnose.PackageUnknown: {subjectText("The package registry has no package %s."), fixedText("Check the name of the package.")},
	diagnose.VersionUnknown: {subjectText("The package registry has no version that fits %s."), fixedText("Check the version after the name of the package, or leave it out.")},
	diagnose.PythonVersion: {subjectAndQuote("It needs Python %s, and this computer has Python %s."),
		fixedText("Install such a Python, for example with uv python install, and restart the server.")},
	diagnose.ScriptUnreadable: {subjectText("You don't have permission to read %s."), fixedText("Give yourself permission to read the script and the files that it reads.")},
	diagnose.ScriptUnopened:   {subjectText("Python can't open the script %s."), fixedText("Check the path and try again.")},
	diagnose.SyntaxError:      {subjectAndQuote("There is a syntax error in %s: %s."), subjectText("Fix the syntax error in %s.")},
	diagnose.ImportSyntax: {subjectAndQuote("There is a syntax error in %s: %s."),
		fixedText(`Add "type": "module" to the package.json beside the script. Or rename the script to end in .mjs, and import it from a .js script.`)},
	diagnose.TypeScriptUnknown: {subjectText("Node %s does not run TypeScript."), fixedText("Install Node 22.18 or newer, or run npm install tsx in the folder of the script.")},
	diagnose.CompileError:      {subjectAndQuote("Go can't compile %s: %s."), subjectText("Fix the error in %s.")},

	diagnose.PortTaken:       {portTaken, freePort},
	diagnose.VariableMissing: {needsVariables, subjectText("Set %s in the server's environment.")},
	diagnose.ValueMissing:    {subjectWithQuote("It needs %s, whose value can't be read"), fixedText("Start the server in the window to enter it.")},
	diagnose.SettingMissing:  {subjectText("It needs the setting %s."), fixedText("Set it in the server's environment or arguments. Its README names the variable.")},
	diagnose.ArgumentMissing: {subjectText("It needs the argument %s."), fixedText("Add it to the server's arguments. Its README says what it means.")},
	diagnose.FirstRunNeeded: {subjectText("It needs a setup step before its first start. Its output says: run %s."),
		fixedText("Look for that step in its README; usually it signs you in. In a terminal, the server has no sandbox: run the step there only if you trust the server. Then restart it here.")},
	diagnose.ArgumentUnknown: {subjectText("It does not accept the argument %s."), fixedText("Check the server's arguments. Its README lists those that this version accepts.")},
	diagnose.ArgumentsRefused: {func(a diagnose.Args) string {
		return "It does not start with these arguments. It says: " + a.Text + "."
	},
		fixedText("Check the server's arguments. Its README lists those that it needs.")},
	diagnose.OutOfMemory:    {outOfMemory, freeMemory},
	diagnose.FileMissing:    {subjectText("The file %s is missing."), fixedText("Check the server's arguments, and that the file exists.")},
	diagnose.FileForbidden:  {fileForbidden, fixedText("Give yourself permission to use the script and its files.")},
	diagnose.LimitReached:   {subjectText("It reached the limit of %s in its sandbox."), permissionText("If you trust it, allow it to %s, and restart it.")},
	diagnose.AccessRefused:  {permissionText("It wants to %s. Its sandbox does not allow that."), permissionText("If you trust it, allow it to %s, and restart it.")},
	diagnose.HostRefused:    {permissionText("It wants to %s. Its sandbox does not allow that."), permissionText("If you trust it, allow it to %s, and restart it.")},
	diagnose.NetworkRefused: {permissionText("It wants to %s. Its sandbox does not allow that."), permissionText("If you trust it, allow it to %s, and restart it.")},
	diagnose.SocketRefused:  {socketRefused, fixedText(runUnconfined)},
	diagnose.ContainerRefused: {func(a diagnose.Args) string {
		return a.Product + " makes namespaces and mounts for its containers. No permission of its sandbox allows that."
	}, fixedText(runUnconfined)},
	diagnose.SSHRefused: {fixedText("ssh needs your keys, ssh-agent and the network, and the sandbox allows none of them. The server itself runs on another computer."), fixedText(runUnconfined)},
	diagnose.SSHLogin: {fixedText("ssh can't log in there without asking you."),
		fixedText("Run its command in a terminal until it asks nothing: accept the key of the host, and add your own key to the agent with ssh-add. Then restart the server.")},
	diagnose.HostUnanswered: {subjectText("It tried to reach %s, where no program answers."),
		subjectText("Start the program that it needs at %s, or give the server another address in its arguments or environment. Then restart it.")},

	diagnose.Flood:        {fixedText("It floods its stdout and does not answer."), fixedText("Look in the script for a loop that writes without a pause.")},
	diagnose.NotMCP:       {fixedText("It writes something other than MCP to its stdout."), fixedText("Check that the script is an MCP server, and make it print to stderr instead.")},
	diagnose.StdinClosed:  {fixedText("It closed its stdin, from which it reads MCP messages."), fixedText("Make sure that the script keeps its stdin open.")},
	diagnose.StdoutClosed: {fixedText("It closed its stdout, to which it writes MCP messages."), fixedText("Make sure that the script keeps its stdout open.")},
	diagnose.InputUnread:  {fixedText("It does not read the messages that goated sends."), fixedText("Restart it. If it happens again, tell its authors that it stops reading while it works.")},
	diagnose.NoAnswer:     {fixedText("It started but did not answer in time."), fixedText("Try again. If it happens again, run its command in a terminal to see whether it waits for something.")},
	diagnose.NoTools: {fixedText("It answered initialize, but did not answer tools/list in time."),
		fixedText("Try again. If it happens again, look in its code for what it waits for before it lists its tools.")},
	diagnose.ToolsRefused: {func(a diagnose.Args) string { return "It answered tools/list with an error: " + a.Text + "." },
		fixedText("Read its output, and check whether it needs other arguments or a newer version. Its authors can find out more from the report.")},
	diagnose.EndedInitialized: {subjectText("It answered initialize and ended right after that, with exit status %s."), fixedText(runInTerminal)},
	diagnose.ProtocolError: {func(a diagnose.Args) string { return "Its answer breaks the rules of MCP: " + a.Text + "." },
		fixedText("Update the server, or send its authors the report. This is a bug in it.")},
	diagnose.ProtocolVersion: {func(a diagnose.Args) string {
		return "It speaks MCP " + a.Subject + ". This goated speaks MCP " + a.Text + "."
	}, otherVersion},
	diagnose.Refused: {func(a diagnose.Args) string { return "It refused to connect: " + a.Text + "." },
		fixedText("Read its output, and check whether it needs other arguments or a newer version. Its authors can find out more from the report.")},
	diagnose.HTTPServer: {fixedText("It is an HTTP server, which goated does not start."),
		func(a diagnose.Args) string {
			return "Let it use stdio, or start it yourself and connect " + a.Address + "."
		}},
	diagnose.EndedEarly: {fixedText("It ended without sending an MCP message."), fixedText("Check that the script starts an MCP server over stdio, and does not only define one.")},

	diagnose.HostUnknown:        {subjectText("The host %s does not exist, or this computer is offline."), fixedText("Check the address, and that this computer is online.")},
	diagnose.NothingListens:     {subjectText("No program answers at %s."), fixedText("Start the server, or check the address and its port.")},
	diagnose.HostSilent:         {subjectText("%s does not answer."), fixedText("Check the address, your network, and whether a firewall or VPN is in the way.")},
	diagnose.CertificateInvalid: {subjectAndQuote("The certificate of %s is not valid: %s."), fixedText("Check the address and the clock of this computer. Do not send a key to this address.")},
	diagnose.HTTPSUnknown:       {subjectText("%s speaks http, not https."), otherAddressOr("Use an address that begins with http://.")},
	diagnose.HTTPSNeeded:        {subjectText("%s speaks https, not http."), otherAddressOr("Use an address that begins with https://.")},
	diagnose.AddressUnknown:     {subjectText("%s has no MCP server at this address."), otherAddressOr("Check the path of the address. Many servers use /mcp.")},
	diagnose.AddressNotMCP: {func(a diagnose.Args) string {
		if a.Text == "" {
			return a.Subject + " answers, but not with MCP."
		}
		return a.Subject + " answers, but not with MCP. It sends " + a.Text + "."
	}, otherAddressOr("Check the path of the address. Many servers use /mcp.")},
	diagnose.SignInNeeded:     {subjectText("%s wants you to sign in, or does not accept your key."), fixedText("Sign in, or set the header that its page describes.")},
	diagnose.SignInImpossible: {subjectWithQuote("%s wants you to sign in, but goated can't start the sign-in"), fixedText("Set the header or the client that its page describes. If it describes none, tell the people who run the server.")},
	diagnose.KeyRefused: {subjectAndQuote("%s does not accept the key in the header %s."), func(a diagnose.Args) string {
		return "Check the value of the header " + a.Text + ": the key may be wrong or no longer valid, or its scheme is missing, as in Bearer KEY."
	}},
	diagnose.AccessDenied: {subjectWithQuote("%s refuses access"), fixedText("Check that your account or key may use this server.")},
	diagnose.ServerMoved: {func(a diagnose.Args) string {
		return a.Subject + " sends goated to another address: " + a.Address + "."
	},
		fixedText("Connect to that address instead, if you trust it. goated does not send your key there by itself.")},
	diagnose.ServerFailing: {subjectWithQuote("%s answers with an error"), fixedText("Try again later. If it happens again, tell the people who run the server.")},
	diagnose.ServerGone:    {subjectText("%s no longer answers."), fixedText("Check that the server runs and that this computer is online, and restart the connection.")},
	diagnose.SessionLost:   {subjectText("%s ended the session and does not begin a new one."), fixedText("Restart the connection.")},

	diagnose.UncaughtError:   {subjectAndQuote("It stopped with an error at %s: %s."), subjectText("Check %s, and the arguments, variables and files that the server gets.")},
	diagnose.Killed:          {fixedText("The system or another program killed it, most likely because memory ran out."), fixedText("Close programs that you don't need, and restart the server.")},
	diagnose.Crashed:         {subjectText("It crashed: %s."), fixedText("Restart it. If it crashes again, update the server and its libraries, or send its authors the report.")},
	diagnose.NotStarted:      {fixedText("It did not start."), fixedText(runInTerminal)},
	diagnose.EndedWithOutput: {fixedText("It ended by itself. Its last output may say why."), fixedText(runInTerminal)},
	diagnose.EndedSilently:   {fixedText("It ended without giving a reason."), fixedText(runInTerminal)},
}

// ActionLabel returns the text of the button for an action. It returns "" for [diagnose.Run], whose
// commands are shown; for [diagnose.OpenPage], whose button shows the host; and for
// [diagnose.Report], which has two buttons.
func ActionLabel(a diagnose.Action) string {
	switch a.Kind {
	case diagnose.SetVariable:
		return "Set " + a.Target + "…"
	case diagnose.EditLaunch:
		return "Change how it runs…"
	case diagnose.Unconfine:
		return "Run without the sandbox…"
	case diagnose.LookIn:
		return "Add folder and restart"
	case diagnose.OpenFile:
		return "Open the file"
	}
	return ""
}

func installProgram(a diagnose.Args) string {
	name := a.Product
	if name == "" {
		name = a.Subject
	}
	if p, ok := programs.Of(a.Subject); ok {
		return fmt.Sprintf("Install %s. goated can do that for you, from %s (in a terminal: goated install %s).", p.Title, p.From, p.Name)
	}
	if a.FromTerminal {
		return "Install " + name + ", or start goated from a terminal where " + a.Subject + " runs."
	}
	return "Install " + name + "."
}

func needsVariables(a diagnose.Args) string {
	if strings.ContainsAny(a.Subject, " ") {
		return "It needs the environment variables " + a.Subject + "."
	}
	return "It needs the environment variable " + a.Subject + "."
}

func portTaken(a diagnose.Args) string {
	switch {
	case a.Owner.PID != 0:
		return fmt.Sprintf("The program %s (process %d) already uses port %s.", a.Owner.Name, a.Owner.PID, a.Subject)
	case a.Subject != "":
		return "Another program already uses port " + a.Subject + "."
	}
	return "Another program already uses its port."
}

func freePort(a diagnose.Args) string {
	stop := "Stop that program"
	if a.Owner.PID != 0 {
		stop = "Stop " + a.Owner.Name
	}
	if a.Variable != "" {
		return stop + ", or set " + a.Variable + " to another port in the server's environment."
	}
	return stop + ", or give the server another port in its arguments."
}

func outOfMemory(a diagnose.Args) string {
	if a.Memory == 0 {
		return "It ran out of memory."
	}
	return fmt.Sprintf("It ran out of memory. Its sandbox allows it %d GiB.", a.Memory>>30)
}

func freeMemory(a diagnose.Args) string {
	if a.Memory == 0 {
		return "Close programs that you don't need, and restart the server."
	}
	return "Close programs that you don't need, or give the server less to do at once. Then restart it."
}

func fileForbidden(a diagnose.Args) string {
	if a.Subject == "" {
		return "It does not have a permission that it needs."
	}
	return "It does not have permission to use " + a.Subject + "."
}

// socketRefused explains why no permission gives access to the socket of a daemon: the daemon
// starts programs outside the sandbox.
func socketRefused(a diagnose.Args) string {
	if a.Product == "" {
		return "It wants to use another program through " + a.Subject + ". No permission of its sandbox allows that."
	}
	return fmt.Sprintf("It needs the daemon of %s, through %s. The daemon starts programs outside of any sandbox, so no permission opens it.", a.Product, a.Subject)
}

// permissionText returns a function that formats a sentence with one %s for what the server wants to
// do.
func permissionText(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string { return fmt.Sprintf(format, a.Permission) }
}

// moduleToRun returns where to install the package of a module that python -m runs.
func moduleToRun(a diagnose.Args) string {
	if a.Text != "" {
		return "Check its name. If it is right, install its package in the virtual environment of " + a.Text + "."
	}
	return "Check its name. If it is right, install its package in a virtual environment, and start the server with the Python of that environment. With uv, start it with uvx and the name of the package."
}

// declareLibrary explains how to make uvx install a library that a package does not declare.
func declareLibrary(a diagnose.Args) string {
	if a.Text == "" {
		return "Add --with and the library's name on PyPI after uvx. Its authors can correct the package."
	}
	return "Add --with " + a.Text + " after uvx. Its authors can correct the package."
}

// otherVersion returns which side needs another version of MCP. Versions are dates. Subject is the
// server's version, and Text begins with goated's newest.
func otherVersion(a diagnose.Args) string {
	if a.Subject > a.Text && a.Subject[0] <= '9' {
		return "Update goated, or use an older version of the server."
	}
	return "Use a newer version of the server."
}
