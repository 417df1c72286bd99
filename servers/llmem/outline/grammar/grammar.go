// Package grammar parses source files with tree-sitter. Each language is a
// WebAssembly module (tree-sitter's core, a grammar and build/shim.c), which wazero
// runs without cgo. go generate builds the modules; see build/build.sh.
//
// It owns the runtime and the idle instances. It must not know the meaning of nodes, which belongs
// to package outline.
package grammar

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed wasm/*.wasm.zst
var modules embed.FS

// The limits of one parse.
const (
	maxPages  = 3072     // 192 MiB of memory per instance, in pages of 64 KiB
	keepBytes = 24 << 20 // an instance that has grown larger is closed after use
	maxIdle   = 4        // idle instances of all languages together
)

// Errors of [Runtime.Parse].
var (
	ErrLanguage = errors.New("no grammar for this language")
	ErrSlow     = errors.New("parsing took too long")
	ErrMemory   = errors.New("parsing needs too much memory")
)

// A Node is a named node of a syntax tree.
type Node struct {
	Start, End uint32 // bytes in the source
	Symbol     uint16 // index in Language.Symbols
	Field      uint16 // index in Language.Fields; 0 means none
	Next       int32  // index of the first node after this node's descendants
}

// A Language holds the names in a grammar.
type Language struct {
	Name    string
	Symbols []string
	Fields  []string
}

// A Runtime runs the grammars. It compiles a module when a file first needs it. Create it with New.
// It is safe for concurrent use.
type Runtime struct {
	cacheDir string

	start   sync.Once
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	failed  error

	mu        sync.Mutex
	languages map[string]*language
	idle      []*instance
	closed    bool
}

type language struct {
	compile sync.Once
	module  wazero.CompiledModule
	failed  error
	names   *Language // guarded by Runtime.mu
}

type instance struct {
	language string
	names    *Language
	module   api.Module
	begin    api.Function
	parse    api.Function
	result   api.Function
}

// New returns a runtime that keeps compiled modules in cacheDir. If cacheDir is empty, each process
// compiles them again, which takes up to a second per language.
func New(cacheDir string) *Runtime {
	return &Runtime{cacheDir: cacheDir, languages: make(map[string]*language)}
}

// Close releases the runtime. No Parse may be running, and none may follow.
func (r *Runtime) Close() error {
	r.mu.Lock()
	r.closed, r.idle = true, nil
	r.mu.Unlock()
	r.start.Do(func() { r.failed = errors.New("the runtime is closed") })
	ctx := context.Background()
	var errs []error
	if r.runtime != nil {
		errs = append(errs, r.runtime.Close(ctx))
	}
	if r.cache != nil {
		errs = append(errs, r.cache.Close(ctx))
	}
	return errors.Join(errs...)
}

// Has reports whether there is a grammar for a language.
func Has(language string) bool {
	f, err := modules.Open("wasm/" + language + ".wasm.zst")
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// Parse returns the named nodes of a source in document order. The first node is the root. Parse
// returns errors of this package and of ctx. ErrSlow means that limit passed. A limit of 0 means no
// limit. Syntax errors are not errors of Parse: the grammar marks them with nodes named ERROR.
func (r *Runtime) Parse(ctx context.Context, language string, source []byte, limit time.Duration) ([]Node, *Language, error) {
	in, err := r.take(ctx, language)
	if err != nil {
		return nil, nil, err
	}
	nodes, err := in.run(ctx, source, limit)
	if err != nil || in.module.Memory().Size() > keepBytes {
		_ = in.module.Close(context.WithoutCancel(ctx)) // it only releases memory
	} else {
		r.put(in)
	}
	return nodes, in.names, err
}

func (in *instance) run(ctx context.Context, source []byte, limit time.Duration) ([]Node, error) {
	timed := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		timed, cancel = context.WithTimeoutCause(ctx, limit, ErrSlow)
		defer cancel()
	}
	memory := in.module.Memory()
	at, err := in.begin.Call(timed, uint64(len(source)))
	if err != nil || !memory.Write(uint32(at[0]), source) {
		return nil, ErrMemory
	}
	n, err := in.parse.Call(timed, uint64(len(source)))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case timed.Err() != nil:
		return nil, ErrSlow
	case err != nil:
		return nil, ErrMemory // the shim traps when it runs out of memory
	case int32(n[0]) < 0:
		return nil, fmt.Errorf("parsing failed with code %d", int32(n[0]))
	}
	records, err := in.result.Call(timed)
	if err != nil {
		return nil, fmt.Errorf("reading the tree: %w", err)
	}
	const size = 16
	data, ok := memory.Read(uint32(records[0]), uint32(n[0])*size)
	if !ok {
		return nil, errors.New("reading the tree: it lies outside the memory")
	}
	nodes := make([]Node, n[0])
	for i := range nodes {
		d := data[i*size : i*size+size]
		nodes[i] = Node{
			Start: binary.LittleEndian.Uint32(d), End: binary.LittleEndian.Uint32(d[4:]),
			Symbol: binary.LittleEndian.Uint16(d[8:]), Field: binary.LittleEndian.Uint16(d[10:]),
			Next: int32(binary.LittleEndian.Uint32(d[12:])),
		}
	}
	return nodes, nil
}

// take returns an idle instance, otherwise a new one.
func (r *Runtime) take(ctx context.Context, name string) (*instance, error) {
	r.mu.Lock()
	for i := len(r.idle) - 1; i >= 0; i-- {
		if in := r.idle[i]; in.language == name {
			r.idle = append(r.idle[:i], r.idle[i+1:]...)
			r.mu.Unlock()
			return in, nil
		}
	}
	l := r.languages[name]
	if l == nil {
		l = new(language)
		r.languages[name] = l
	}
	r.mu.Unlock()
	if !Has(name) {
		return nil, ErrLanguage
	}
	r.start.Do(r.open)
	if r.failed != nil {
		return nil, r.failed
	}
	l.compile.Do(func() { l.module, l.failed = r.compile(name) })
	if l.failed != nil {
		return nil, l.failed
	}
	return r.instantiate(context.WithoutCancel(ctx), name, l)
}

// put keeps an instance for the next file, and closes the instance that has been idle the longest.
func (r *Runtime) put(in *instance) {
	r.mu.Lock()
	if !r.closed {
		r.idle = append(r.idle, in)
		in = nil
		if len(r.idle) > maxIdle {
			in, r.idle = r.idle[0], r.idle[1:]
		}
	}
	r.mu.Unlock()
	if in != nil {
		_ = in.module.Close(context.Background()) // it only releases memory
	}
}

func (r *Runtime) open() {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPages)
	if r.cacheDir != "" {
		// Without the folder, each process compiles the modules itself.
		if cache, err := wazero.NewCompilationCacheWithDir(r.cacheDir); err == nil {
			r.cache, config = cache, config.WithCompilationCache(cache)
		}
	}
	r.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	_, err := r.runtime.NewHostModuleBuilder("goated").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			stack[0] = 0
			if ctx.Err() != nil {
				stack[0] = 1
			}
		}), nil, []api.ValueType{api.ValueTypeI32}).Export("late").Instantiate(ctx)
	if err != nil {
		r.failed = fmt.Errorf("starting the parser: %w", err)
		return
	}
	// The C library imports file functions. The modules have no files: 8 is EBADF.
	none := func(_ context.Context, stack []uint64) { stack[0] = 8 }
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	wasi := r.runtime.NewHostModuleBuilder("wasi_snapshot_preview1")
	for name, params := range map[string][]api.ValueType{
		"fd_close": {i32}, "fd_seek": {i32, i64, i32, i32}, "fd_write": {i32, i32, i32, i32},
	} {
		wasi.NewFunctionBuilder().WithGoFunction(api.GoFunc(none), params, []api.ValueType{i32}).Export(name)
	}
	if _, err := wasi.Instantiate(ctx); err != nil {
		r.failed = fmt.Errorf("starting the parser: %w", err)
	}
}

func (r *Runtime) compile(name string) (wazero.CompiledModule, error) {
	packed, err := modules.ReadFile("wasm/" + name + ".wasm.zst")
	if err != nil {
		return nil, ErrLanguage
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("unpacking the grammar of %s: %w", name, err)
	}
	defer d.Close()
	code, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpacking the grammar of %s: %w", name, err)
	}
	m, err := r.runtime.CompileModule(context.Background(), code)
	if err != nil {
		return nil, fmt.Errorf("compiling the grammar of %s: %w", name, err)
	}
	return m, nil
}

func (r *Runtime) instantiate(ctx context.Context, name string, l *language) (*instance, error) {
	m, err := r.runtime.InstantiateModule(withMemory(ctx), l.module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("starting the grammar of %s: %w", name, err)
	}
	in := &instance{
		language: name, module: m,
		begin: m.ExportedFunction("begin"), parse: m.ExportedFunction("parse"), result: m.ExportedFunction("result"),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.names == nil {
		names := &Language{Name: name}
		if names.Symbols, err = readNames(ctx, m, "symbols", "symbol", 0); err == nil {
			names.Fields, err = readNames(ctx, m, "fields", "field", 1)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the grammar of %s: %w", name, err)
		}
		l.names = names
	}
	in.names = l.names
	return in, nil
}

// readNames reads a table of names. Its first entry has the number first.
func readNames(ctx context.Context, m api.Module, count, name string, first int) ([]string, error) {
	n, err := m.ExportedFunction(count).Call(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, int(n[0])+first)
	for i := first; i < len(names); i++ {
		at, err := m.ExportedFunction(name).Call(ctx, uint64(i))
		if err != nil {
			return nil, err
		}
		for end := uint32(at[0]); at[0] != 0; end++ {
			b, ok := m.Memory().ReadByte(end)
			if !ok {
				return nil, errors.New("a name does not end")
			}
			if b == 0 {
				text, _ := m.Memory().Read(uint32(at[0]), end-uint32(at[0]))
				names[i] = string(text)
				break
			}
		}
	}
	return names, nil
}
