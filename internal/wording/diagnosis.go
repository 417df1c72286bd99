package wording

import (
	"errors"
	"fmt"
	"strings"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/programs"
)

// Why returns the most likely reason why a server does not run, as a sentence. It returns "" if err
// has no diagnosis, or if the text of err is already complete.
func Why(err error) string {
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Kind == client.ErrReach || e.Report.Cause == diagnose.ValueMissing || client.Quarantined(err) {
		return ""
	}
	if e.Kind == client.ErrNotFound { // names the script and says that it is missing
		return ""
	}
	return Cause(e.Report.Diagnosis)
}

// Cause returns the sentence for a cause, or "" for [diagnose.Unknown].
func Cause(d diagnose.Diagnosis) string {
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

// A text holds the sentence and the remedy for a cause. In it, "it" means the server.
type text struct {
	why    func(a diagnose.Args) string
	remedy func(a diagnose.Args) string
}

// said returns a function that returns a fixed sentence.
func said(sentence string) func(diagnose.Args) string {
	return func(diagnose.Args) string { return sentence }
}

// heard works like said, but adds a warning if only the server's output mentions the missing thing.
func heard(sentence string) func(diagnose.Args) string {
	return func(a diagnose.Args) string {
		if !a.Heard {
			return sentence
		}
		return "Only the server's own output names it. Look at the package before you install it: an installer runs outside the sandbox. " + sentence
	}
}

// about returns a function that formats a sentence with one %s for the subject of the cause.
func about(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string { return fmt.Sprintf(format, a.Subject) }
}

// quoting returns a function that formats a sentence with one %s for the subject and one %s for the
// quoted text.
func quoting(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string { return fmt.Sprintf(format, a.Subject, a.Text) }
}

// reason returns a function that formats a sentence with one %s for the subject, and appends the
// quoted text, if any.
func reason(format string) func(diagnose.Args) string {
	return func(a diagnose.Args) string {
		sentence := fmt.Sprintf(format, a.Subject)
		if a.Text != "" {
			sentence += ": " + a.Text
		}
		return sentence + "."
	}
}

// instead returns a function that suggests another address if there is one, and otherwise returns
// the advice.
func instead(advice string) func(diagnose.Args) string {
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
var texts = map[diagnose.Cause]text{
	diagnose.ProgramMissing: {about("goated can't find the program %s, which starts this server."), installProgram},
	diagnose.ProgramElsewhere: {func(a diagnose.Args) string {
		return a.Subject + " is in " + a.Found + ", which is not on goated's PATH."
	}, about("Let goated look there too, or start goated from a terminal where %s runs.")},
	diagnose.ProgramForbidden: {about("You don't have permission to run %s."), said("Give yourself permission to read it and to run it.")},
	diagnose.ProgramGone:      {about("%s does not exist."), said("Check the path and try again.")},
	diagnose.WrongFormat:      {said("Your system can't run this program: it is made for another kind of machine, or it is not a program."), said("Get the version of the program for this machine.")},
	diagnose.InterpreterMissing: {said("The program needs an interpreter that is not on this machine. A script names it in its first line."),
		said("Install that interpreter, or correct the first line.")},
	diagnose.WindowsLines:   {about("%s has Windows line endings. Your system reads the extra character at the end of a line as part of the interpreter's name or of a command."), said("Let your editor save it with Unix line endings (LF), or convert it, and restart the server.")},
	diagnose.ScriptMissing:  {about("%s does not exist."), said("Check the path. If the script has moved, put it back, or connect the server from where it is now.")},
	diagnose.SandboxMissing: {said("Your system can't sandbox it, so it could do everything that you can."), said("If you trust it, allow it to run without a sandbox.")},
	diagnose.StartCancelled: {said("Its start was cancelled."), said("Restart it.")},

	diagnose.PythonModule:      {about(noModule), heard("Install it in a .venv folder beside the script. goated uses that folder if it exists.")},
	diagnose.ModuleEnvironment: {about(noModule), heard("Install it in the virtual environment of the Python that runs the server.")},
	diagnose.ModuleOfCommand: {about(noModule), func(a diagnose.Args) string {
		return heard("Install it in a .venv folder beside the script. Then start the script with the Python of that folder: " + a.Text + ".")(a)
	}},
	diagnose.ModuleOfProgram: {about(noModule), func(a diagnose.Args) string {
		return heard("Install it in a .venv folder beside the script. Then write #!" + a.Text + " in the first line of the script.")(a)
	}},
	diagnose.ModuleToRun:       {about(noModule), moduleToRun},
	diagnose.ModuleElsewhere:   {about(noModule), heard("Install it for the Python that runs the server. With uv run, write --with and the name of its package after run.")},
	diagnose.LibraryUndeclared: {about("It needs the Python library %s, which is missing from the dependencies of its package."), declareLibrary},
	diagnose.OlderLibrary: {said("It is written for another version of the Python SDK of MCP than the one that is installed, most likely for version 1."),
		said("Start it with version 1: write --with 'mcp<2' after uvx, or install 'mcp<2' in the .venv beside the script.")},
	diagnose.OlderInstalled: {said("It is written for version 1 of the Python SDK of MCP, but its package does not require that version."), said("Restart it: goated installs it with version 1.")},
	diagnose.LibraryMismatch: {about("It does not work with the version of the Python library %s that was installed with it."),
		about("Try another version of the server, or an older %[1]s: with uvx, write the version after --with, such as --with '%[1]s<2'. Its authors know which version works.")},
	diagnose.NodePackage:       {about("The package %s is not installed."), heard("Install it with npm in the script's folder.")},
	diagnose.GoPackage:         {about("The Go package %s is not in the script's module."), said("Add it to the module with go get, in the script's folder.")},
	diagnose.BuildMissing:      {about("The file %s is missing."), said("If the server is written in TypeScript, build it first: run npm run build in its folder.")},
	diagnose.InstallIncomplete: {about("Its package is not installed completely: %s is missing."), said("Restart it: goated has removed the package, and installs it again.")},
	diagnose.ImportBroken: {about("Its package imports %s, which does not exist under that name in the version that was installed."),
		said("Try another version of the server: write it after the name of its package, as in weather@1.2.0. Its authors know which version works.")},
	diagnose.InstallScript:  {quoting("The install script of %s failed: %s."), said("Run its command in a terminal to see what the script lacks, or install the package there.")},
	diagnose.ScriptSkipped:  {quoting("The install script of %s failed: %s."), said("Restart it: goated installs it without that script.")},
	diagnose.PackageUnknown: {about("The package registry has no package %s."), said("Check the name of the package.")},
	diagnose.VersionUnknown: {about("The package registry has no version that fits %s."), said("Check the version after the name of the package, or leave it out.")},
	diagnose.PythonVersion: {quoting("It needs Python %s, and this computer has Python %s."),
		said("Install such a Python, for example with uv python install, and restart the server.")},
	diagnose.ScriptUnreadable: {about("You don't have permission to read %s."), said("Give yourself permission to read the script and the files that it reads.")},
	diagnose.ScriptUnopened:   {about("Python can't open the script %s."), said("Check the path and try again.")},
	diagnose.SyntaxError:      {quoting("There is a syntax error in %s: %s."), about("Fix the syntax error in %s.")},
	diagnose.ImportSyntax: {quoting("There is a syntax error in %s: %s."),
		said(`Add "type": "module" to the package.json beside the script. Or rename the script to end in .mjs, and import it from a .js script.`)},
	diagnose.TypeScriptUnknown: {about("Node %s does not run TypeScript."), said("Install Node 22.18 or newer, or run npm install tsx in the folder of the script.")},
	diagnose.CompileError:      {quoting("Go can't compile %s: %s."), about("Fix the error in %s.")},

	diagnose.PortTaken:       {portTaken, freePort},
	diagnose.VariableMissing: {needsVariables, about("Set %s in the server's environment.")},
	diagnose.ValueMissing:    {reason("It needs %s, whose value can't be read"), said("Start the server in the window to enter it.")},
	diagnose.SettingMissing:  {about("It needs the setting %s."), said("Set it in the server's environment or arguments. Its README names the variable.")},
	diagnose.ArgumentMissing: {about("It needs the argument %s."), said("Add it to the server's arguments. Its README says what it means.")},
	diagnose.FirstRunNeeded: {about("It needs a setup step before its first start. Its output says: run %s."),
		said("Look for that step in its README; usually it signs you in. In a terminal, the server has no sandbox: run the step there only if you trust the server. Then restart it here.")},
	diagnose.ArgumentUnknown: {about("It does not accept the argument %s."), said("Check the server's arguments. Its README lists those that this version accepts.")},
	diagnose.ArgumentsRefused: {func(a diagnose.Args) string {
		return "It does not start with these arguments. It says: " + a.Text + "."
	},
		said("Check the server's arguments. Its README lists those that it needs.")},
	diagnose.OutOfMemory:    {outOfMemory, freeMemory},
	diagnose.FileMissing:    {about("The file %s is missing."), said("Check the server's arguments, and that the file exists.")},
	diagnose.FileForbidden:  {fileForbidden, said("Give yourself permission to use the script and its files.")},
	diagnose.LimitReached:   {about("It reached the limit of %s in its sandbox."), permission("If you trust it, allow it to %s, and restart it.")},
	diagnose.AccessRefused:  {permission("It wants to %s. Its sandbox does not allow that."), permission("If you trust it, allow it to %s, and restart it.")},
	diagnose.HostRefused:    {permission("It wants to %s. Its sandbox does not allow that."), permission("If you trust it, allow it to %s, and restart it.")},
	diagnose.NetworkRefused: {permission("It wants to %s. Its sandbox does not allow that."), permission("If you trust it, allow it to %s, and restart it.")},
	diagnose.SocketRefused:  {socketRefused, said(runUnconfined)},
	diagnose.ContainerRefused: {func(a diagnose.Args) string {
		return a.Product + " makes namespaces and mounts for its containers. No permission of its sandbox allows that."
	}, said(runUnconfined)},
	diagnose.HostUnanswered: {about("It tried to reach %s, where no program answers."),
		about("Start the program that it needs at %s, or give the server another address in its arguments or environment. Then restart it.")},

	diagnose.Flood:        {said("It floods its stdout and does not answer."), said("Look in the script for a loop that writes without a pause.")},
	diagnose.NotMCP:       {said("It writes something other than MCP to its stdout."), said("Check that the script is an MCP server, and make it print to stderr instead.")},
	diagnose.StdinClosed:  {said("It closed its stdin, from which it reads MCP messages."), said("Make sure that the script keeps its stdin open.")},
	diagnose.StdoutClosed: {said("It closed its stdout, to which it writes MCP messages."), said("Make sure that the script keeps its stdout open.")},
	diagnose.InputUnread:  {said("It does not read the messages that goated sends."), said("Restart it. If it happens again, tell its authors that it stops reading while it works.")},
	diagnose.NoAnswer:     {said("It started but did not answer in time."), said("Try again. If it happens again, run its command in a terminal to see whether it waits for something.")},
	diagnose.NoTools: {said("It answered initialize, but did not answer tools/list in time."),
		said("Try again. If it happens again, look in its code for what it waits for before it lists its tools.")},
	diagnose.ToolsRefused: {func(a diagnose.Args) string { return "It answered tools/list with an error: " + a.Text + "." },
		said("Read its output, and check whether it needs other arguments or a newer version. Its authors can find out more from the report.")},
	diagnose.EndedInitialized: {about("It answered initialize and ended right after that, with exit status %s."), said(runInTerminal)},
	diagnose.ProtocolError: {func(a diagnose.Args) string { return "Its answer breaks the rules of MCP: " + a.Text + "." },
		said("Update the server, or send its authors the report. This is a bug in it.")},
	diagnose.ProtocolVersion: {func(a diagnose.Args) string {
		return "It speaks MCP " + a.Subject + ". This goated speaks MCP " + a.Text + "."
	}, otherVersion},
	diagnose.Refused: {func(a diagnose.Args) string { return "It refused to connect: " + a.Text + "." },
		said("Read its output, and check whether it needs other arguments or a newer version. Its authors can find out more from the report.")},
	diagnose.HTTPServer: {said("It is an HTTP server, which goated does not start."),
		func(a diagnose.Args) string {
			return "Let it use stdio, or start it yourself and connect " + a.Address + "."
		}},
	diagnose.EndedEarly: {said("It ended without sending an MCP message."), said("Check that the script starts an MCP server over stdio, and does not only define one.")},

	diagnose.HostUnknown:        {about("The host %s does not exist, or this computer is offline."), said("Check the address, and that this computer is online.")},
	diagnose.NothingListens:     {about("No program answers at %s."), said("Start the server, or check the address and its port.")},
	diagnose.HostSilent:         {about("%s does not answer."), said("Check the address, your network, and whether a firewall or VPN is in the way.")},
	diagnose.CertificateInvalid: {quoting("The certificate of %s is not valid: %s."), said("Check the address and the clock of this computer. Do not send a key to this address.")},
	diagnose.HTTPSUnknown:       {about("%s speaks http, not https."), instead("Use an address that begins with http://.")},
	diagnose.HTTPSNeeded:        {about("%s speaks https, not http."), instead("Use an address that begins with https://.")},
	diagnose.AddressUnknown:     {about("%s has no MCP server at this address."), instead("Check the path of the address. Many servers use /mcp.")},
	diagnose.AddressNotMCP: {func(a diagnose.Args) string {
		if a.Text == "" {
			return a.Subject + " answers, but not with MCP."
		}
		return a.Subject + " answers, but not with MCP. It sends " + a.Text + "."
	}, instead("Check the path of the address. Many servers use /mcp.")},
	diagnose.SignInNeeded:     {about("%s wants you to sign in, or does not accept your key."), said("Sign in, or set the header that its page describes.")},
	diagnose.SignInImpossible: {reason("%s wants you to sign in, but goated can't start the sign-in"), said("Set the header or the client that its page describes. If it describes none, tell the people who run the server.")},
	diagnose.KeyRefused: {quoting("%s does not accept the key in the header %s."), func(a diagnose.Args) string {
		return "Check the value of the header " + a.Text + ": the key may be wrong or no longer valid, or its scheme is missing, as in Bearer KEY."
	}},
	diagnose.AccessDenied: {reason("%s refuses access"), said("Check that your account or key may use this server.")},
	diagnose.ServerMoved: {func(a diagnose.Args) string {
		return a.Subject + " sends goated to another address: " + a.Address + "."
	},
		said("Connect to that address instead, if you trust it. goated does not send your key there by itself.")},
	diagnose.ServerFailing: {reason("%s answers with an error"), said("Try again later. If it happens again, tell the people who run the server.")},
	diagnose.ServerGone:    {about("%s no longer answers."), said("Check that the server runs and that this computer is online, and restart the connection.")},
	diagnose.SessionLost:   {about("%s ended the session and does not begin a new one."), said("Restart the connection.")},

	diagnose.UncaughtError:   {quoting("It stopped with an error at %s: %s."), about("Check %s, and the arguments, variables and files that the server gets.")},
	diagnose.Killed:          {said("The system or another program killed it, most likely because memory ran out."), said("Close programs that you don't need, and restart the server.")},
	diagnose.Crashed:         {about("It crashed: %s."), said("Restart it. If it crashes again, update the server and its libraries, or send its authors the report.")},
	diagnose.NotStarted:      {said("It did not start."), said(runInTerminal)},
	diagnose.EndedWithOutput: {said("It ended by itself. Its last output may say why."), said(runInTerminal)},
	diagnose.EndedSilently:   {said("It ended without giving a reason."), said(runInTerminal)},
}

// Label returns the text of the button for an action. It returns "" for [diagnose.Run], whose
// commands are shown; for [diagnose.OpenPage], whose button shows the host; and for
// [diagnose.Report], which has two buttons.
func Label(a diagnose.Action) string {
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

// permission returns a function that formats a sentence with one %s for what the server wants to
// do.
func permission(format string) func(diagnose.Args) string {
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
