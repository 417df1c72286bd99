// Package macro runs macros of the desktop protocol (seed 002). Macros consist of steps, loops,
// conditions and variables, and are limited in number and time. The package is pure logic over a
// [World], so each step passes the same guards as a single action.
package macro

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "goated/servers/desktop/macosusesdk"
)

// The limits of a macro.
const (
	MaxSteps   = 10_000 // steps of one run
	MaxActions = 2_000  // actions of a macro, including nested ones
	MaxDepth   = 16     // nesting of loops and conditions
	MaxLoop    = 1_000  // rounds of one loop
	MaxText    = 1 << 20
	MaxLog     = 1_000 // entries
	Timeout    = 5 * time.Minute
	MaxTimeout = time.Hour
	waitFor    = 30 * time.Second
	look       = 100 * time.Millisecond // time between two looks at a condition
)

// A World performs the actions of macros. Every method returns when ctx ends.
type World interface {
	// Input performs an input action.
	Input(ctx context.Context, a *pb.InputAction) error
	// Find returns the elements that match a selector.
	Find(ctx context.Context, s *pb.ElementSelector) ([]*pb.Element, error)
	// Windows returns the titles of the windows. If it returns an error, some titles may be
	// missing.
	Windows(ctx context.Context) ([]string, error)
	// Running reports whether an application is running. application is its name or its resource
	// name.
	Running(ctx context.Context, application string) (bool, error)
	// Call calls a protocol method, such as "ClickElement", and returns its result as text.
	Call(ctx context.Context, method string, args map[string]string) (string, error)
}

// Options configures a run. The zero value is valid.
type Options struct {
	Values   map[string]string // of the macro's parameters
	Options  *pb.ExecutionOptions
	Progress func(done, total int32) // called after each step; may be nil
	Now      func() time.Time        // the system's clock if nil
}

// A run is one execution of a macro.
type run struct {
	world   World
	opts    Options
	vars    map[string]string
	steps   int32
	total   int32
	speed   float64
	onError bool // continue after errors
	record  bool
	log     []*pb.ExecutionLogEntry
	begin   time.Time
	params  map[string]string
}

// Run executes a macro. It returns an error only for a mistake of the caller (INVALID_ARGUMENT). If
// the macro fails while it runs, the response contains the reason.
func Run(ctx context.Context, m *pb.Macro, w World, o Options) (*pb.ExecuteMacroResponse, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	params, err := parameters(m.GetParameters(), o.Values)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	limit := Timeout
	switch seconds := o.Options.GetTimeout(); {
	case seconds < 0 || seconds > MaxTimeout.Seconds() || seconds != seconds:
		return nil, fmt.Errorf("the timeout is %v seconds; it is at most %v", seconds, MaxTimeout.Seconds())
	case seconds > 0:
		limit = time.Duration(seconds * float64(time.Second))
	}
	speed := o.Options.GetSpeed()
	if speed == 0 {
		speed = 1
	}
	if !(speed >= 0.1 && speed <= 100) {
		return nil, fmt.Errorf("the speed is %v; it is from 0.1 to 100", speed)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the macro did not end within %v", limit))
	defer cancel()
	r := &run{
		world: w, opts: o, vars: maps.Clone(params), params: params, speed: speed, begin: o.Now(), total: int32(len(m.GetActions())),
		onError: o.Options.GetContinueOnError(), record: o.Options.GetRecordExecution(),
	}
	err = r.all(ctx, m.GetActions(), true)
	res := &pb.ExecuteMacroResponse{Success: err == nil, ActionsExecuted: r.steps, ExecutionDuration: durationpb.New(o.Now().Sub(r.begin)), Log: r.log}
	if err != nil {
		res.Error = err.Error()
	}
	return res, nil
}

// all performs actions in order.
func (r *run) all(ctx context.Context, actions []*pb.MacroAction, top bool) error {
	var failed error
	for i, a := range actions {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.steps >= MaxSteps {
			return fmt.Errorf("the macro performed %d actions, which is the limit", MaxSteps)
		}
		r.steps++
		begin := r.opts.Now()
		err := r.one(ctx, a)
		if r.record && len(r.log) < MaxLog {
			entry := &pb.ExecutionLogEntry{Name: kind(a), ExecutionTime: timestamppb.New(begin), ActionIndex: int32(i), Description: a.GetDescription(), Success: err == nil, Duration: r.opts.Now().Sub(begin).Seconds()}
			if err != nil {
				entry.Error = err.Error()
			}
			r.log = append(r.log, entry)
		}
		if top && r.opts.Progress != nil {
			r.opts.Progress(int32(i+1), r.total)
		}
		if err == nil {
			continue
		}
		err = fmt.Errorf("action %d (%s): %w", i+1, describe(a), err)
		if !r.onError || ctx.Err() != nil {
			return err
		}
		if failed == nil {
			failed = err
		}
	}
	return failed
}

// kind returns the kind of an action for the log.
func kind(a *pb.MacroAction) string {
	switch a := a.GetAction().(type) {
	case *pb.MacroAction_Input:
		return "input"
	case *pb.MacroAction_Wait:
		return "wait"
	case *pb.MacroAction_Conditional:
		return "conditional"
	case *pb.MacroAction_Loop:
		return "loop"
	case *pb.MacroAction_Assign:
		return "assign"
	case *pb.MacroAction_MethodCall:
		return a.MethodCall.GetMethod()
	}
	return "nothing"
}

func describe(a *pb.MacroAction) string {
	if d := a.GetDescription(); d != "" {
		return d
	}
	return kind(a)
}

// one performs a single action.
func (r *run) one(ctx context.Context, a *pb.MacroAction) error {
	switch a := a.GetAction().(type) {
	case *pb.MacroAction_Input:
		input, err := expand(r, a.Input)
		if err != nil {
			return err
		}
		return r.world.Input(ctx, input)
	case *pb.MacroAction_Wait:
		return r.wait(ctx, a.Wait)
	case *pb.MacroAction_Conditional:
		holds, err := r.evaluateCondition(ctx, a.Conditional.GetCondition())
		if err != nil {
			return err
		}
		if holds {
			return r.all(ctx, a.Conditional.GetThenActions(), false)
		}
		return r.all(ctx, a.Conditional.GetElseActions(), false)
	case *pb.MacroAction_Loop:
		return r.loop(ctx, a.Loop)
	case *pb.MacroAction_Assign:
		return r.assign(ctx, a.Assign)
	case *pb.MacroAction_MethodCall:
		call, err := expand(r, a.MethodCall)
		if err != nil {
			return err
		}
		result, err := r.world.Call(ctx, call.GetMethod(), call.GetArgs())
		if err == nil {
			err = r.set("result", result)
		}
		return err
	}
	return fmt.Errorf("the action is empty")
}

// set sets a variable.
func (r *run) set(name, value string) error {
	if len(value) > MaxText {
		return fmt.Errorf("the variable %s would hold %d bytes; at most %d are allowed", name, len(value), MaxText)
	}
	r.vars[name] = value
	return nil
}

// parameters returns the values of a macro's parameters, and checks them.
func parameters(declared []*pb.MacroParameter, values map[string]string) (map[string]string, error) {
	out := make(map[string]string)
	known := make(map[string]bool)
	for _, p := range declared {
		known[p.GetKey()] = true
		v, ok := values[p.GetKey()]
		if !ok {
			if p.GetRequired() && p.GetDefaultValue() == "" {
				return nil, fmt.Errorf("the parameter %q has no value", p.GetKey())
			}
			v = p.GetDefaultValue()
			if v == "" && !p.GetRequired() {
				out[p.GetKey()] = ""
				continue
			}
		}
		if err := checkType(p, v); err != nil {
			return nil, fmt.Errorf("the parameter %q: %w", p.GetKey(), err)
		}
		out[p.GetKey()] = v
	}
	for key := range values {
		if !known[key] {
			return nil, fmt.Errorf("the macro has no parameter %q", key)
		}
	}
	return out, nil
}

// wait waits for a duration, for a condition, or for both.
func (r *run) wait(ctx context.Context, w *pb.WaitAction) error {
	if w.GetCondition() == nil || w.GetDuration() > 0 {
		if err := pause(ctx, time.Duration(w.GetDuration()/r.speed*float64(time.Second))); err != nil {
			return err
		}
	}
	if w.GetCondition() == nil {
		return nil
	}
	cond := w.GetCondition()
	limit := waitFor
	if seconds := cond.GetTimeout(); seconds > 0 {
		limit = time.Duration(min(seconds, MaxTimeout.Seconds()) * float64(time.Second))
	}
	within, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it did not happen within %v", limit))
	defer cancel()
	for {
		ok, err := r.appeared(within, cond)
		switch {
		case ok:
			return nil
		case err != nil && within.Err() == nil && isFinal(err):
			return err
		}
		// Another look may succeed, because the application may be busy or still starting.
		if late := pause(within, look); late != nil {
			if err != nil && ctx.Err() == nil {
				return fmt.Errorf("%w: the last look failed: %w", late, err)
			}
			return late
		}
	}
}

// isFinal reports whether a later look would fail in the same way.
func isFinal(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.PermissionDenied, codes.Unimplemented:
		return true
	}
	return errors.Is(err, errNoCondition)
}

var errNoCondition = errors.New("the condition to wait for is empty")

func (r *run) appeared(ctx context.Context, c *pb.WaitCondition) (bool, error) {
	switch c := c.GetCondition().(type) {
	case *pb.WaitCondition_ElementSelector:
		found, err := r.find(ctx, c.ElementSelector)
		return len(found) > 0, err
	case *pb.WaitCondition_WindowTitle:
		title, err := r.text(c.WindowTitle)
		if err != nil {
			return false, err
		}
		return r.window(ctx, title)
	case *pb.WaitCondition_Application:
		app, err := r.text(c.Application)
		if err != nil {
			return false, err
		}
		return r.world.Running(ctx, app)
	}
	return false, errNoCondition
}

// pause sleeps for d. If ctx ends first, it returns the cause.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(max(d, 0))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// checkType checks that a value has the parameter's type.
func checkType(p *pb.MacroParameter, v string) error {
	switch p.GetType() {
	case pb.MacroParameter_PARAMETER_TYPE_INTEGER:
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return fmt.Errorf("%q is not a whole number", v)
		}
	case pb.MacroParameter_PARAMETER_TYPE_BOOLEAN:
		if _, err := strconv.ParseBool(v); err != nil {
			return fmt.Errorf("%q is neither true nor false", v)
		}
	case pb.MacroParameter_PARAMETER_TYPE_SELECTOR:
		_, err := selectorOf(v)
		return err
	case pb.MacroParameter_PARAMETER_TYPE_PATH:
		if v == "" || len(v) > 4096 {
			return fmt.Errorf("a path has 1 to 4096 bytes, and this one has %d", len(v))
		}
	}
	if len(v) > MaxText {
		return fmt.Errorf("the value has %d bytes; at most %d are allowed", len(v), MaxText)
	}
	return nil
}
