package diagnose

import "strings"

// The patterns match the error messages of libraries that parse command lines. The first group is the
// argument, or several arguments.
var (
	missingArguments = []rule{
		{pattern(`error: the following arguments are required: ([^\n]+)`), "", ArgumentMissing, nil},                                // argparse
		{pattern(`Missing (?:option|argument|parameter) ['"]([^'"\n]+)['"]`), "", ArgumentMissing, nil},                             // click, typer
		{pattern(`error: required option '([^'\n]+)' not specified`), "", ArgumentMissing, nil},                                     // commander
		{pattern(`error: missing required argument '([^'\n]+)'`), "", ArgumentMissing, nil},                                         // commander
		{pattern(`error: the following required arguments were not provided:\n\s+([^\n]+)`), "", ArgumentMissing, nil},              // clap
		{pattern(`required flag\(s\) ("[^\n]+") not set`), "", ArgumentMissing, quoted},                                             // cobra
		{pattern(`Missing required (?:arguments?|flags?|options?|parameters?):? ([\w<\[-][^\n]{0,200})`), "", ArgumentMissing, nil}, // yargs, oclif
		{pattern(`(?:error: argument|Option) '?([\w<>/, -]+?)'?(?::| <[^>\n]*>)? (?:expected (?:one|at least one|\d+) argument|requires an argument|argument missing)`), "", ArgumentMissing, nil},
	}
	unknownArguments = []rule{
		{pattern(`error: unrecognized arguments: ([^\n]+)`), "", ArgumentUnknown, nil},             // argparse
		{pattern(`No such option:? ['"]?(-[\w-]+)`), "", ArgumentUnknown, nil},                     // click, typer
		{pattern(`(?:error: unknown|Unknown) option:? ['"]?(-[\w-]+)`), "", ArgumentUnknown, nil},  // commander, Node
		{pattern(`Unknown arguments?: ([^\n]+)`), "", ArgumentUnknown, nil},                        // yargs
		{pattern(`flag provided but not defined: (-[\w-]+)`), "", ArgumentUnknown, nil},            // Go
		{pattern(`unknown (?:shorthand )?flag: (?:'\w' in )?(-[\w-]+)`), "", ArgumentUnknown, nil}, // cobra
		{pattern(`error: unexpected argument '([^'\n]+)'`), "", ArgumentUnknown, nil},              // clap
		{pattern(`Got unexpected extra arguments? \(([^)\n]+)\)`), "", ArgumentUnknown, nil},       // click, typer
		{pattern(`Nonexistent flags?: ([^\n]+)`), "", ArgumentUnknown, nil},                        // oclif
		{pattern(`error: argument ([^\n:]+): invalid choice: '[^\n]*`), "", ArgumentUnknown, nil},  // argparse
		{pattern(`(?m)^(?:error|Error): (?:too many arguments[^\n]*)?unexpected extra argument:? ['"]?([^'"\n]+)`), "", ArgumentUnknown, nil},
	}
	// advised matches a line in which a program asks for an argument in its own words.
	advised = pattern(`(?im)^[^\n]*\b(?:provide|pass|specify|give|need|requires?d?|missing|expected|supply)\b[^\n]{0,100}\b(?:command[- ]line|positional|cli|non-option)?[- ]?arguments?\b[^\n]*$`)
	// usage matches the help text that a program prints instead of starting.
	usage = pattern(`(?im)^\s*usage:?[ \t]*(?:\n\s*)?(\S[^\n]*)$`)
	// complaint matches an error above the help text.
	complaint = pattern(`(?im)^\W*(?:fatal )?error:?[ \t]+(\S[^\n]*)$`)
)

// arguments diagnoses a server that exited because of its command-line arguments.
func arguments(f Facts, d *Diagnosis) bool {
	if f.Failure != StartFailed || !f.Ended || f.Signal != "" || f.Code == 0 {
		return false
	}
	f.Output = withoutSource(f.Output)
	if apply(missingArguments, f, d) || apply(unknownArguments, f, d) {
		d.Args.Subject = strings.TrimRight(strings.TrimSpace(d.Args.Subject), " .│|")
		return true
	}
	said := strings.TrimSpace(advised().FindString(f.Output))
	if said == "" {
		help := usage().FindStringSubmatchIndex(f.Output)
		if help == nil {
			return false
		}
		said = "Usage: " + f.Output[help[2]:help[3]]
		if m := complaint().FindStringSubmatch(f.Output); m != nil {
			said = m[1]
		}
	}
	d.Cause, d.Args.Text = ArgumentsRefused, trimmed(said)
	return true
}

// quoted removes cobra's quotes and adds the dashes that cobra leaves out.
func quoted(_ Facts, m []string, d *Diagnosis) bool {
	d.Args.Subject = "--" + strings.ReplaceAll(strings.ReplaceAll(strings.Trim(m[1], `"`), `", "`, ", --"), `"`, "")
	return true
}
