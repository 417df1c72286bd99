package wording

import (
	"errors"
	"fmt"
	"strings"

	"goated/internal/launch"
	"goated/internal/placeholder"
	"goated/internal/programs"
)

// PasteAdvice returns what the user can do about a text that goated does not understand. It returns ""
// for other errors.
func PasteAdvice(err error) string {
	var p *launch.Problem
	if !errors.As(err, &p) {
		return ""
	}
	switch p.Kind {
	case launch.Empty:
		return "Paste what the server's README says: a command such as npx -y …, a URL, the path of a script or a folder, or JSON."
	case launch.TooLong:
		return "Paste only the part that starts the server."
	case launch.BadScript:
		return "Choose a script that ends in .py, .js or .go, a program, or a folder. The ending is case-sensitive. For a script of another language, paste its command, such as ruby server.rb."
	case launch.NotFound:
		return "Check the path and try again."
	case launch.NoProgram:
		if p.Detail != "" {
			return "Run this in a terminal first, then try again: " + p.Detail
		}
		if word := p.Subject; !strings.ContainsAny(word, " ./\\") && len(word) > 3 && strings.ContainsAny(word, "-_") {
			return fmt.Sprintf("If it is a package, paste npx -y %[1]s for npm, or uvx %[1]s for Python. Otherwise install it first.", word)
		}
		if !strings.ContainsAny(p.Subject, " ./\\") {
			return "If it is a program, install it first, or paste its full path. Otherwise paste the command, the URL or the JSON from the server's README."
		}
		return "Paste the command, the URL or the JSON from the server's README, or choose a file."
	case launch.NoServer:
		if p.Subject == "This text" {
			return "Paste the command, the URL or the JSON from the server's README, or choose a file."
		}
		return `Paste the part with "mcpServers" or "servers", or one server with its "command" or "url".`
	case launch.BadSyntax:
		return "Correct it, or copy it again from the README."
	case launch.BadServer:
		return `Give it a "command" to start, or the "url" of a server that runs already.`
	case launch.NeedsShell:
		return "Paste only the command that starts the server. If it needs the shell, put all of it into a script that ends in .sh."
	case launch.Installs:
		if p.Detail != "" {
			return "To start it, try " + p.Detail
		}
		return "Run this in a terminal, then paste the command that starts the server."
	case launch.StartsNothing:
		if p.Detail != "" {
			return "To start the server, try " + p.Detail
		}
		return "Paste the command that starts the server. Usually, the same README has it as JSON."
	case launch.Configures:
		if p.Detail != "" {
			return "To start the server itself, try " + p.Detail
		}
		return "Paste the command that starts the server itself. Usually, the same README has it as JSON."
	case launch.BadURL:
		return "A web address begins with https:// and names a host, as in https://example.org/mcp."
	case launch.NothingInside:
		return "Choose the folder with its package.json, pyproject.toml, go.mod or Cargo.toml, or the script itself."
	case launch.NotBuilt, launch.Uninstalled:
		return "Run this in its folder, then try again: " + p.Detail
	case launch.Ambiguous:
		return "Choose the folder of one of them."
	case launch.Repository:
		return "Open its README, and paste the command that starts the server."
	case launch.Download:
		return "\"goated servers add\" and the window download and install it. Or download it, then paste its path."
	case launch.Listing:
		return "Open it, and paste the command or the JSON that starts the server."
	case launch.AfterAddress:
		if strings.HasPrefix(p.Subject, "-") {
			return "Only the flag --header 'Name: value' can follow an address. In a terminal, write goated's other flags after --server, outside its text."
		}
		return "Leave it out, or paste only the address."
	case launch.OpenProgram:
		return "Write the name or the path of the program in its place, such as npx or /usr/bin/python3."
	}
	return ""
}

// NoteText returns a note about a server as a sentence.
func NoteText(n launch.Note) string {
	switch n.Kind {
	case launch.ProgramMissing:
		return n.Subject + " is not installed on this computer. " + installAdvice(n.Subject)
	case launch.Placeholder:
		return "Replace " + n.Subject + " with your own value."
	case launch.DroppedSudo:
		return "goated starts it as you, without sudo."
	case launch.DroppedTool:
		return "goated connects the server itself, without " + n.Subject + "."
	case launch.AddedStdin:
		return "goated added -i, because the container reads its messages from stdin."
	case launch.DroppedFlag:
		return "goated changed " + n.Subject + ", because a container with a terminal, or in the background, can't exchange messages with goated."
	case launch.NotInstalled:
		return "Its packages may be missing. If it does not start, run npm install in " + n.Subject + "."
	case launch.OldNode:
		return "Node " + n.Subject + " does not run TypeScript. Install Node 22.18 or newer, or run npm install tsx in its folder."
	case launch.Bridge:
		return "This program only forwards messages to " + n.Subject + ". You can also add that URL itself."
	case launch.FileMissing:
		return "There is no file " + n.Subject + ". Check its path."
	case launch.EnvFileUnread:
		return "The variables in " + n.Subject + " are not imported. Add those that it needs."
	case launch.Others:
		return "The text describes other servers, too: " + n.Subject + ". Paste the part of each to add it."
	case launch.LeftOut:
		return "goated left out another server of this text. " + n.Subject + "."
	}
	return ""
}

// InputLabel returns the label of a value that the user enters before a server starts.
func InputLabel(in launch.Input) string {
	replaced, own := placeholder.Path(in.ID)
	switch {
	case in.Prompt != "":
		return in.Prompt
	case own:
		return "your path in place of " + replaced
	case in.ID == "workspaceFolder" || in.ID == "workspaceRoot" || in.ID == "cwd":
		return "the folder of your project"
	case in.ID == "userHome":
		return "your home folder"
	}
	return in.ID
}

// InputName returns the name of a value that the user enters: its ID, or the path that it replaces.
func InputName(in launch.Input) string {
	if replaced, own := placeholder.Path(in.ID); own {
		return replaced
	}
	return in.ID
}

// VariableLabel returns a label for a variable, or for the input whose value it holds.
func VariableLabel(variable string) string {
	if id, ok := launch.InputID(variable); ok {
		return InputLabel(launch.Input{ID: id})
	}
	return variable
}

// NoteCommand returns the terminal command that helps with a note, or "" if there is none.
func NoteCommand(n launch.Note) string {
	if p, ok := programs.Of(n.Subject); ok && n.Kind == launch.ProgramMissing {
		return "goated install " + p.Name
	}
	return ""
}

// installAdvice returns a sentence about how to get a program that READMEs use.
func installAdvice(name string) string {
	if p, ok := programs.Of(name); ok {
		return fmt.Sprintf("goated can install %s for you, from %s.", p.Title, p.From)
	}
	switch name {
	case "npx", "npm", "node":
		return "It comes with Node.js, from nodejs.org."
	case "uvx", "uv":
		return "It comes with uv, from docs.astral.sh/uv."
	case "pipx":
		return "Install it with your system's packages, or use uvx instead."
	case "bun", "bunx":
		return "Install Bun from bun.sh, or use npx -y instead."
	case "ssh":
		return "Install OpenSSH with your system's packages."
	case "docker":
		return "Install Docker, or look in the README for a command with npx or uvx."
	}
	return "Install it, or paste its full path."
}

// ServerTitle returns a title that describes what kind of server s is.
func ServerTitle(s launch.Server) string {
	switch {
	case s.Kind == launch.Remote:
		return "A server on the web"
	case s.Kind == launch.Bundle:
		return "A server bundle"
	case s.Kind == launch.Script:
		switch s.Path[strings.LastIndexByte(s.Path, '.'):] {
		case ".py":
			return "A Python script"
		case ".go":
			return "A Go program"
		}
		return "A Node.js script"
	case s.OverSSH() != "":
		return "A command that runs a server on another computer"
	}
	switch s.Origin.Source {
	case launch.NPM:
		return "A command that runs a package from npm"
	case launch.PyPI:
		return "A command that runs a package from PyPI"
	case launch.JSR:
		return "A command that runs a package from JSR"
	case launch.NuGet:
		return "A command that runs a package from NuGet"
	case launch.Maven:
		return "A command that runs a package from Maven"
	case launch.Container:
		return "A container"
	case launch.GoModule:
		return "A command that compiles and runs a Go module"
	case launch.Git:
		return "A command that runs a Git repository"
	case launch.Local:
		return "A command that runs a file of this computer"
	}
	return "A program of this computer"
}
