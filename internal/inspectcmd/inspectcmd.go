package inspectcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"goated/internal/inspect"
	"goated/internal/safetext"
)

// A Connect connects the servers, calls use, and disconnects them. Its error reports how many
// servers do not run.
type Connect func(cmd *cobra.Command, use func()) error

// flags contains the values of the command's flags.
type flags struct {
	inspect.Filter
	json, follow, commands bool
}

// New returns the command. It shows the messages of the servers that connect connects.
func New(t *Tap, connect Connect) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "inspect [FILE]",
		Short: "Show the messages of servers, and figures per tool",
		Long: "inspect connects the servers and prints each message with its latency, then the figures of each tool.\n" +
			"With FILE it prints the messages that --trace has stored. Secrets are hidden before anything is printed or stored.",
		Example: "  goated inspect --server ./dice.py\n" +
			"  goated call roll --server ./dice.py --yes --trace dice.json\n" +
			"  goated inspect dice.json --errors\n" +
			"  goated inspect dice.json --commands",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) == 1 && f.follow {
				return errors.New("--follow waits for new messages, and a file gets none")
			}
			if f.json && f.commands {
				return errors.New("use --json or --commands, not both")
			}
			if flag := cmd.Flag("server"); len(files) == 1 && flag != nil && flag.Changed {
				return errors.New("inspect reads FILE or connects --server, not both. To see one server of the file, write --of NAME")
			}
			var shown atomic.Int64
			p := newPrinter(cmd.OutOrStdout(), cmd.ErrOrStderr())
			t.show = func(frame inspect.Frame, e inspect.Entry) {
				if !f.json && !f.commands && f.Match(e) {
					shown.Add(1)
					p.print(line(frame, e))
				}
			}
			var failed error
			if len(files) == 1 {
				p.blocks = true // no line of a file is dropped
				if failed = t.read(files[0]); failed != nil {
					p.end()
					return failed
				}
			} else {
				failed = connect(cmd, func() {
					if f.follow {
						<-cmd.Context().Done()
					}
				})
			}
			p.end()
			if err := t.conclude(cmd.OutOrStdout(), f, int(shown.Load())); err != nil {
				return err
			}
			return failed
		},
	}
	set := cmd.Flags()
	set.BoolVar(&f.json, "json", false, "print the messages and figures as JSON, which \"goated inspect FILE\" reads")
	set.BoolVar(&f.follow, "follow", false, "stay connected and print until Ctrl+C")
	set.BoolVar(&f.commands, "commands", false, "print each call as a \"goated call\" command")
	set.BoolVar(&f.Errors, "errors", false, "only requests that failed")
	set.StringVar(&f.Server, "of", "", "only messages of this server")
	set.StringVar(&f.Method, "method", "", "only requests with this method, such as tools/call")
	set.StringVar(&f.Tool, "tool", "", "only calls of this tool")
	set.StringVar(&f.Text, "find", "", "only messages that contain this text")
	return cmd
}

// read adds the messages of a file. It completes all request-response pairs before the first is
// printed.
func (t *Tap) read(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	frames, err := inspect.Import(file)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	for _, f := range frames {
		t.add(f)
	}
	if _, err := file.Seek(0, io.SeekStart); err == nil {
		t.log.Connected(inspect.ImportStarts(file))
	}
	return nil
}

// conclude prints the end of the output: the figures, the JSON, or the commands. shown is the
// number of messages that match the filters.
func (t *Tap) conclude(out io.Writer, f flags, shown int) error {
	switch {
	case f.json:
		var b bytes.Buffer
		if err := t.log.Export(&b, f.Filter); err != nil {
			return err
		}
		_, err := io.WriteString(out, safetext.Escape(b.String()))
		return err
	case f.commands:
		for _, e := range t.log.Entries(f.Filter) {
			if e.Kind != inspect.Request || !e.Ours || e.Method != "tools/call" {
				continue
			}
			command, err := e.Command(t.log.Started()[e.Server]...)
			if err != nil {
				command = "# " + safetext.OneLine(e.Tool) + ": " + err.Error()
			}
			if _, err := fmt.Fprintln(out, safetext.OneLine(command)); err != nil {
				return err
			}
		}
		return nil
	}
	total := t.log.Total()
	note := fmt.Sprintf("%d messages", total.Frames)
	if f.Filter != (inspect.Filter{}) {
		note = fmt.Sprintf("%d of %d messages", shown, total.Frames)
	}
	if total.Dropped > 0 {
		note += fmt.Sprintf(", and %d older ones that are no longer kept", total.Dropped)
	}
	figures := strings.TrimRight(table(t.log.Figures(f.Filter)), "\n")
	if figures == "" {
		figures = "No tool was called."
		if len(t.log.Figures(inspect.Filter{})) > 0 {
			figures = "These filters match no tool that was called."
		}
	}
	_, err := fmt.Fprintf(out, "\n%s\n%s\n", note, figures)
	return err
}
