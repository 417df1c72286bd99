package historycmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"goated/internal/chat"
	"goated/internal/safetext"
	"goated/internal/store"
	"goated/ui/view/format"
)

// A savedChat is one row of "goated chats".
type savedChat struct {
	ID       string    `json:"id"`
	Short    string    `json:"short"` // long enough for --resume
	Title    string    `json:"title"`
	Updated  time.Time `json:"updated"`
	Messages int       `json:"messages"` // messages of the user
	Pinned   bool      `json:"pinned"`
}

// Chats returns the command that lists the saved conversations. file returns the path of the
// history when the command runs.
func Chats(file func() string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "chats",
		Short: "List the saved conversations",
		Long: "chats lists the conversations of the window and of the terminal, the most recent first.\n" +
			"The number counts your messages. \"goated chat --resume ID\" continues a conversation.",
		Example: "  goated chats\n" +
			"  goated chats --json\n" +
			"  goated chat --resume last",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := savedChats(cmd.Context(), file(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				var text bytes.Buffer
				enc := json.NewEncoder(&text)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				if err := enc.Encode(list); err != nil {
					return err
				}
				// Programs read these values, so hidden characters are escaped instead of marked.
				_, err := io.WriteString(cmd.OutOrStdout(), safetext.Escape(text.String()))
				return err
			}
			if len(list) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "No conversation is saved yet. \"goated chat\" starts one.")
				return nil
			}
			return printChats(cmd.OutOrStdout(), list, time.Now())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// savedChats reads the history, most recently used conversations first. If there is no history, it
// does not create one.
func savedChats(ctx context.Context, file string, stderr io.Writer) ([]savedChat, error) {
	out := []savedChat{}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	s, err := store.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if s.Warning() != nil {
		fmt.Fprintln(stderr, "goated: "+s.Warning().Error())
	}
	all, err := s.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	messages, err := s.Messages(ctx)
	if err != nil {
		return nil, err
	}
	short := chat.ShortIDs(all)
	for _, c := range chat.Newest(all) {
		out = append(out, savedChat{ID: c.ID, Short: short[c.ID], Title: c.Title, Updated: c.Updated, Messages: messages[c.ID], Pinned: c.Pinned})
	}
	return out, nil
}

// printChats prints a table. The title is the last column because its width varies.
func printChats(w io.Writer, list []savedChat, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tLAST USED\tMESSAGES\tTITLE")
	for _, c := range list {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", c.Short, format.LongAgo(c.Updated, now), c.Messages, format.Cut(cmp.Or(c.Title, "New chat"), 60))
	}
	return t.Flush()
}

// Complete returns the values of --resume with their titles, for shell completion.
func Complete(ctx context.Context, file string) []string {
	list, err := savedChats(ctx, file, io.Discard)
	if err != nil {
		return nil
	}
	values := []string{chat.Last + "\tthe conversation used last"}
	for _, c := range list {
		values = append(values, c.Short+"\t"+format.Cut(c.Title, 60))
	}
	return values
}
