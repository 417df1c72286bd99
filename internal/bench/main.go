// Command bench compares goated with its peers and with a floor, and prints one table.
//
// The floor is the same work with raw frames and raw HTTP, without a library. Each figure is the
// median of several runs. Each run is a separate process, and the contestants' processes alternate,
// so that the load of the machine affects all of them equally.
//
// A row that misses a goal has a "!" after its ratio, and a line below the table names the goal.
// The command fails if goated misses a goal by more than the noise: even its luckiest run, compared
// with the other contestant's slowest run, misses the goal.
//
//	go run ./internal/bench                 print the table, write JSON and a picture
//	go run ./internal/bench -check FILE     fail where a ratio is more than 20 % worse than in FILE
//	go run ./internal/bench -only chunks    measure some rows
//	go run ./internal/bench -profile DIR    write a CPU profile of goated and of the floor for each row
//
// The peers are the programs of the nested module testdata/peers, and its scripts: peers.mjs needs
// the tools of the tests, and ai.mjs needs the packages that internal/setup/peers.sh installs.
// goated's go.mod does not contain them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "serve":
			serve()
			return
		case "child":
			child(ctx, os.Args[2:])
			return
		}
	}
	o := options{}
	flag.IntVar(&o.runs, "runs", 5, "processes for each figure")
	flag.StringVar(&o.only, "only", "", "rows whose name contains this text")
	flag.StringVar(&o.out, "out", "", "file for the results as JSON")
	flag.StringVar(&o.check, "check", "", "file with the ratios to compare with")
	flag.StringVar(&o.picture, "picture", "", "file for the picture, as SVG")
	flag.StringVar(&o.profile, "profile", "", "folder for CPU profiles")
	flag.StringVar(&o.tools, "tools", ".tools", "folder with the tools of the tests")
	flag.Parse()
	if err := run(ctx, o); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	runs                                      int
	only, out, check, picture, tools, profile string
}

// run measures, prints and compares.
func run(ctx context.Context, o options) error {
	w, err := newWorkshop(ctx, o)
	if err != nil {
		return err
	}
	defer w.close()
	began := time.Now()
	t := w.measure(ctx, chosen(o.only))
	if err := ctx.Err(); err != nil {
		return err
	}
	t.print(os.Stdout)
	fmt.Printf("\n%d runs in %s, medians, alternating.\n", o.runs, time.Since(began).Round(time.Second))
	if o.out != "" {
		if err := t.save(o.out); err != nil {
			return err
		}
	}
	if o.picture != "" {
		if err := os.WriteFile(o.picture, t.picture(), 0o644); err != nil {
			return err
		}
	}
	missed := t.report(os.Stdout)
	if o.check != "" {
		return t.compare(o.check)
	}
	return missed
}
