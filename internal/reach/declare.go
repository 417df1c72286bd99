//go:build linux

package main

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	"goated/agent"
	"goated/client"
	"goated/internal/geminitest"
)

// perRequest is the number of tools that one request declares. Gemini accepts 512.
const perRequest = 100

// declare sends all tools of a host to the strict stand-in for Gemini. The error names a tool that
// goated cannot declare, or contains the reason why the stand-in refuses a request.
func declare(ctx context.Context, h *client.Host) error {
	s, err := geminitest.Start(geminitest.DefaultKey)
	if err != nil {
		return err
	}
	defer s.Close()
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
	model, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
	if err != nil {
		return err
	}
	var functions []*genai.FunctionDeclaration
	for e := range h.Tools() {
		d := agent.Declare(e)
		if d.Err != nil {
			return fmt.Errorf("declaring %s: %w", e.Tool.Name, d.Err)
		}
		functions = append(functions, d.Function)
	}
	for len(functions) > 0 {
		some := functions[:min(perRequest, len(functions))]
		functions = functions[len(some):]
		config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: some}}}
		for _, err := range model.Generate(ctx, genai.Text("hello"), config) {
			if err != nil {
				return fmt.Errorf("declaring %s and others: %w", some[0].Name, err)
			}
		}
	}
	return nil
}
