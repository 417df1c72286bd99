package ui_test

import (
	"testing"

	"goated/agent"
	"goated/ui"
	"goated/ui/view"
)

// mathsAnswer contains the formulas of a typical answer.
const mathsAnswer = "The roots of $ax^2 + bx + c = 0$ with $a \\neq 0$ are\n\n$$\nx_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n$$\n\n" +
	"and for \\(x \\in \\mathbb{R}^n\\) the Gaussian, with $\\hat{\\theta}, \\hat x, \\tilde{y}, \\dot{q}, \\bar{v}, \\vec{F}$ and $\\vec{v}$, is\n\\[\n\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}, \\qquad \\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\n\\]\n\n" +
	"$$A = \\begin{pmatrix} 1 & 0 & 2 \\\\ 0 & 1 & 0 \\\\ 4 & 0 & 1 \\end{pmatrix}, \\quad f(x) = \\begin{cases} x & \\text{if } x \\ge 0 \\\\ -x & \\text{otherwise} \\end{cases}$$\n\n" +
	"\\[\n\\begin{aligned}\n(a+b)^2 &= (a+b)(a+b) \\\\\n&= a^2 + 2ab + b^2\n\\end{aligned}\n\\]\n\n" +
	"It costs $5 and not $10. Unknown stays source: $\\undefined{x}$.\n\n$$\\boxed{\\left( 1 + \\frac{1}{n} \\right)^n \\to e}$$"

func TestPictureFormulas(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.show(view.Chat{}.Say("Show me some mathematics.").Apply(agent.TextDelta{Text: mathsAnswer}).Apply(agent.TurnEnded{Reason: agent.Done}))
		d.looksLike("formulas", dark)
	}
}
