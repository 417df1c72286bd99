package desktop

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// checkScripts refuses a macro that calls a scripting method unless the user has allowed scripts. The
// service may not be goated's, and may allow scripts to anyone who can reach it.
func (c *call) checkScripts(ctx context.Context, req proto.Message) error {
	if c.o.Scripting {
		return nil
	}
	var actions []*pb.MacroAction
	switch r := req.(type) {
	case *pb.CreateMacroRequest:
		actions = r.GetMacro().GetActions()
	case *pb.UpdateMacroRequest:
		actions = r.GetMacro().GetActions()
	case *pb.ExecuteMacroRequest: // no matter who created the macro
		m := new(pb.Macro)
		if err := c.link.Call(ctx, "GetMacro", &pb.GetMacroRequest{Name: r.GetMacro()}, m); err != nil {
			return err
		}
		actions = m.GetActions()
	}
	if slices.ContainsFunc(actions, c.scripted) {
		return errScripting()
	}
	return nil
}

// scripted reports whether an action, or an action nested in it, calls a scripting method.
func (c *call) scripted(a *pb.MacroAction) bool {
	if called := a.GetMethodCall().GetMethod(); called != "" {
		called = called[strings.LastIndexAny(called, "/.")+1:] // "macosusesdk.v1.MacosUse/X" works too
		for _, t := range c.tools {
			if t.script && (strings.EqualFold(t.method, called) || strings.EqualFold(t.name, called)) {
				return true
			}
		}
	}
	inside := slices.Concat(a.GetConditional().GetThenActions(), a.GetConditional().GetElseActions(), a.GetLoop().GetActions())
	return slices.ContainsFunc(inside, c.scripted)
}
