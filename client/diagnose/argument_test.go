package diagnose

import (
	"testing"

	"goated/internal/sandbox"
)

// A server that exits because of its arguments prints the message of its command-line library, or
// its own. For @modelcontextprotocol/server-postgres, goated reported that the server ended by
// itself.
func TestArguments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		output string
		cause  Cause
		said   string // the subject, or the text
	}{
		{"usage: weather [-h] --api-key KEY\nweather: error: the following arguments are required: --api-key, path\n", ArgumentMissing, "--api-key, path"},
		{"weather: error: argument --port: expected one argument", ArgumentMissing, "--port"},
		{"Usage: weather [OPTIONS]\nTry 'weather --help' for help.\n\nError: Missing option '--city'.", ArgumentMissing, "--city"},
		{"╭─ Error ──────╮\n│ Missing argument 'PATH'.   │\n╰──────────────╯", ArgumentMissing, "PATH"},
		{"error: required option '--token <value>' not specified", ArgumentMissing, "--token <value>"},
		{"error: missing required argument 'dir'", ArgumentMissing, "dir"},
		{"Options:\n  --key  [string] [required]\n\nMissing required argument: key", ArgumentMissing, "key"},
		{"error: the following required arguments were not provided:\n  --root <ROOT>\n\nUsage: fs --root <ROOT>", ArgumentMissing, "--root <ROOT>"},
		{"Error: required flag(s) \"host\", \"token\" not set\nUsage:\n  grafana [flags]", ArgumentMissing, "--host, --token"},

		{"usage: weather [-h]\nweather: error: unrecognized arguments: --cty Bonn", ArgumentUnknown, "--cty Bonn"},
		{"Error: No such option: --cty Did you mean --city?", ArgumentUnknown, "--cty"},
		{"error: unknown option '--cty'", ArgumentUnknown, "--cty"},
		{"TypeError [ERR_PARSE_ARGS_UNKNOWN_OPTION]: Unknown option '--cty'. To specify a positional", ArgumentUnknown, "--cty"},
		{"Unknown argument: cty", ArgumentUnknown, "cty"},
		{"flag provided but not defined: -cty\nUsage of /opt/weather:\n  -city string", ArgumentUnknown, "-cty"},
		{"Error: unknown flag: --cty\nUsage:\n  weather [flags]", ArgumentUnknown, "--cty"},
		{"error: unexpected argument '--cty' found\n\nUsage: weather", ArgumentUnknown, "--cty"},

		{"Please provide a database URL as a command-line argument", ArgumentsRefused, "Please provide a database URL as a command-line argument"},
		{"Usage: mcp-server-files <directory> [more]", ArgumentsRefused, "Usage: mcp-server-files <directory> [more]"},
		{"Error: No access was given.\nUsage: weather [--key=<key>]\n\nCommands:\n  auth  log in", ArgumentsRefused, "No access was given"},

		{"disk usage: 40 %\nthe weather is fine", EndedWithOutput, ""},
		{"Traceback (most recent call last):\n  File \"<string>\", line 3, in f\n    raise ValueError('missing argument')\nValueError: no", EndedWithOutput, ""},
	} {
		f := Facts{Failure: StartFailed, Output: tt.output, Stderr: true, Command: Command{Program: "/opt/weather"}, Exit: Exit{Ended: true, Code: 2}}
		d := Find(f)
		if d.Cause != tt.cause || d.Args.Subject+d.Args.Text != tt.said {
			t.Errorf("%q: %+v, want %s %q", tt.output, d, tt.cause, tt.said)
		}
		f.Needs = []sandbox.Permission{{Kind: sandbox.ToRead, Path: "/home/ann/.weather"}}
		if d := Find(f); tt.said != "" && d.Cause != tt.cause {
			t.Errorf("%q: a refusal in passing is the cause: %+v", tt.output, d)
		}
		f.Failure = Exited
		if d := Find(f); d.Cause == tt.cause && tt.said != "" {
			t.Errorf("%q: a server that ran has the cause %+v", tt.output, d)
		}
	}
}

// Libraries that check settings report a missing one in other words than "is not set", and print
// its name on a separate line.
func TestMissingSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		output  string
		cause   Cause
		subject string
	}{
		{"pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nWEATHER_API_KEY\n  Field required [type=missing, input_value={}, input_type=dict]", VariableMissing, "WEATHER_API_KEY"},
		{"pydantic_core._pydantic_core.ValidationError: 2 validation errors for WeatherConfig\napi_key\n  Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing\nhost\n  Field required [type=missing]", SettingMissing, "api_key, host"},
		{"ZodError: [\n  {\n    \"code\": \"invalid_type\",\n    \"path\": [\n      \"WEATHER_API_KEY\"\n    ],\n    \"message\": \"Required\"\n  }\n]", VariableMissing, "WEATHER_API_KEY"},
		{"ZodError: [\n  {\n    \"code\": \"too_small\",\n    \"message\": \"URL cannot be empty\",\n    \"path\": [\n      \"url\"\n    ]\n  }\n]", SettingMissing, "url"},
		{"ZodError: [\n  {\n    code: 'invalid_type',\n    path: [ 'apiKey' ],\n    message: 'Required'\n  }\n]", SettingMissing, "apiKey"},
		{"✖ Invalid input: expected string, received undefined\n  → at WEATHER_API_KEY\n", VariableMissing, "WEATHER_API_KEY"},
		{"✖ Invalid input: expected string, received undefined\n  → at weather.key\n", SettingMissing, "weather.key"},
		{"{ WEATHER_API_KEY: [ 'Required' ] }", VariableMissing, "WEATHER_API_KEY"},
		{"WEATHER_API_KEY not found in environment", VariableMissing, "WEATHER_API_KEY"},
		{"Error: WEATHER_API_KEY is empty", VariableMissing, "WEATHER_API_KEY"},
		{"Error: WEATHER_API_KEY has not been configured", VariableMissing, "WEATHER_API_KEY"},
		{"Please provide WEATHER_API_KEY", VariableMissing, "WEATHER_API_KEY"},
		{"Run `weather login` first, or pass `--token` / `WEATHER_TOKEN`.\nUsage: weather [--token=<token>]", VariableMissing, "WEATHER_TOKEN"},
	} {
		f := Facts{Failure: StartFailed, Output: tt.output, Stderr: true, Command: Command{Program: "/opt/weather"}, Exit: Exit{Ended: true, Code: 1}}
		f.Needs = []sandbox.Permission{{Kind: sandbox.ToHost, Host: "telemetry.test"}}
		if d := Find(f); d.Cause != tt.cause || d.Args.Subject != tt.subject {
			t.Errorf("%q: %+v, want %s %q", tt.output, d, tt.cause, tt.subject)
		}
	}
}
