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

// figures are the measurements of one process, by row name.
type figures map[string]float64

// A job describes a measurement and the resources for it.
type job struct {
	who    string // the contestant
	row    string
	url    string // URL of the model server
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

// profile writes a CPU profile of a job into a folder, unless folder is empty.
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

// model returns a model name for a new conversation. kind is for example loop-50.
func (j job) model(kind string) string {
	return kind + "-" + j.who + strconv.FormatInt(time.Now().UnixNano(), 36)
}

// steps returns the number at the end of a row's name, such as 50 for loop50.
func steps(row string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(strings.TrimSuffix(row, "k"), "abcdefghijklmnopqrstuvwxyz"))
	if strings.HasSuffix(row, "k") {
		n *= 1000
	}
	return n
}

// calls measures sequential calls: their time, memory and allocations.
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
		"callallocs": float64((after.Mallocs - before.Mallocs) / n), // rounded down, like testing.AllocsPerRun, because the runtime allocates too
	}, nil
}

// inFlight measures calls, with 64 of them running at any time.
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

// large measures a result of mb megabytes after a small one, and the peak memory.
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

// peak returns this process's peak memory in MB.
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

// environ returns the environment of a server that has this many tools.
func environ(tools int) []string {
	return []string{"BENCH_TOOLS=" + strconv.Itoa(tools)}
}
