package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"time"
)

// figures are what one process measured, by the names of rows.
type figures map[string]float64

// A job is what a process measures, and with which help.
type job struct {
	who    string // the contestant
	row    string
	url    string // of the model
	server string // path of the server
	data   string // folder for files
}

// child measures one row and prints its figures.
func child(ctx context.Context, args []string) {
	j := job{who: args[0], row: args[1], url: os.Getenv("BENCH_URL"), server: os.Getenv("BENCH_SERVER"), data: os.Getenv("BENCH_DATA")}
	measure := measureGoated
	if j.who == floor {
		measure = measureFloor
	}
	stop := profile(os.Getenv("BENCH_PROFILE"), j)
	f, err := measure(ctx, j)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(f)
}

// profile writes a CPU profile of a job to a folder, unless that is empty.
func profile(folder string, j job) (stop func()) {
	if folder == "" {
		return func() {}
	}
	f, err := os.Create(filepath.Join(folder, j.row+"-"+j.who+".pprof"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return func() {}
	}
	_ = pprof.StartCPUProfile(f)
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close()
	}
}

// model names a conversation with the model, such as loop-50.
func (j job) model(kind string) string {
	return kind + "-" + j.who + strconv.FormatInt(time.Now().UnixNano(), 36)
}

// steps reads the number at the end of a row's name, such as 50 in loop50.
func steps(row string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(strings.TrimSuffix(row, "k"), "abcdefghijklmnopqrstuvwxyz"))
	if strings.HasSuffix(row, "k") {
		n *= 1000
	}
	return n
}

// calls measures calls one at a time: their time, memory and allocations.
func calls(call func() error) (figures, error) {
	const warm, n = 200, 3000
	var before, after runtime.MemStats
	for range warm {
		if err := call(); err != nil {
			return nil, err
		}
	}
	runtime.ReadMemStats(&before)
	began := time.Now()
	for range n {
		if err := call(); err != nil {
			return nil, err
		}
	}
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	return figures{
		"call1":      micro(took) / n,
		"callbytes":  float64(after.TotalAlloc-before.TotalAlloc) / n,
		"callallocs": float64((after.Mallocs - before.Mallocs) / n), // whole ones, as testing.AllocsPerRun: the runtime has its own
	}, nil
}

// inFlight measures calls with 64 of them under way at any time.
func inFlight(call func() error) (figures, error) {
	const n, width = 20_000, 64
	if err := call(); err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	errs := make([]error, width)
	began := time.Now()
	for i := range width {
		wg.Go(func() {
			for range n / width {
				if errs[i] = call(); errs[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return figures{"call64": micro(took) / (n / width * width)}, nil
}

// large measures a result of this many megabytes, after a small one, and the peak memory.
func large(mb int, call func(mb int) (size int, err error)) (figures, error) {
	n := max(1, min(10, 30/mb))
	if _, err := call(1); err != nil {
		return nil, err
	}
	began := time.Now()
	for range n {
		size, err := call(mb)
		if err != nil {
			return nil, err
		}
		if size < mb*900_000 {
			return nil, fmt.Errorf("the result has %d bytes", size)
		}
	}
	took := time.Since(began)
	f := figures{"result" + strconv.Itoa(mb): milli(took) / float64(n)}
	if mb == 64 {
		f["peak64"] = peak()
	}
	return f, nil
}

// peak returns the largest memory of this process so far, in MB.
func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "VmHWM:" {
			kb, _ := strconv.ParseFloat(fields[1], 64)
			return kb / 1000
		}
	}
	return 0
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
func milli(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// environ returns the environment of a server with this many tools.
func environ(tools int) []string {
	return []string{"BENCH_TOOLS=" + strconv.Itoa(tools)}
}
