package chatcmd

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"goated/internal/config"
	"goated/internal/modelname"
	"goated/internal/models"
)

// PrintModels prints a line for each model: its name, the size of its context, its price, and the
// option that chooses its service. It marks the chosen model with *. If only contains the URL of a
// service, it skips other services. The error lists the services whose models are unknown.
func PrintModels(w io.Writer, groups []models.Group, chosen config.ModelRef, only string) error {
	out := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	var failed []error
	for _, g := range groups {
		if only != "" && g.Service != config.CleanURL(only) {
			continue
		}
		if g.Err != nil {
			failed = append(failed, fmt.Errorf("listing the models of %s: %w", g.Title, g.Err))
		}
		for i, e := range g.Entries {
			mark := " "
			if e.Ref == chosen || chosen.Name == "" && config.CleanURL(chosen.Service) == g.Service && (i == 0 && g.Service != "" || e.Ref.Name == models.Default) {
				mark = "*"
			}
			option := ""
			if g.Service != "" && only == "" {
				option = "--endpoint " + g.Service
			}
			fmt.Fprintln(out, strings.TrimRight(strings.Join([]string{mark + " " + e.Ref.Name, modelname.Tokens(e.Window), models.PriceText(e), option}, "\t"), "\t"))
		}
	}
	return errors.Join(append(failed, out.Flush())...)
}
