package desktop

import "context"

// press clicks, drags, scrolls, hovers or performs an action.
func press(ctx context.Context, c *call) (*answer, error) {
	if err := checkPress(c); err != nil {
		return nil, err
	}
	if err := checkTarget(ctx, c); err != nil {
		return nil, err
	}
	at, drags, scrolls := !c.has("element"), c.has("to_x"), c.has("dx") || c.has("dy")
	if at || drags {
		// Before setCenter, because the center of an element is already a position on the desktop.
		if err := c.locate(); err != nil {
			return nil, err
		}
	}
	if !at {
		parent, id, err := c.target(ctx)
		if err != nil {
			return nil, err
		}
		if !drags && !scrolls && !c.has("seconds") && c.clicksElement() {
			return pressElement(ctx, c, parent, id)
		}
		if err := setCenter(ctx, c, parent, id); err != nil {
			return nil, err
		}
		c.args["in"] = appOf(parent)
	}
	switch {
	case drags:
		return c.runTool(ctx, "drag", c.pick("x=start_x", "y=start_y", "to_x=end_x", "to_y=end_y", "button", "seconds=duration", "in=parent"))
	case scrolls:
		return c.runTool(ctx, "scroll", c.pick("x", "y", "dx=horizontal", "dy=vertical", "seconds=duration", "in=parent"))
	case c.has("seconds"):
		return c.runTool(ctx, "hover", c.pick("x", "y", "seconds=duration", "in=application"))
	}
	return c.runTool(ctx, "click", c.pick("x", "y", "button", "count=click_count", "in=parent"))
}

// checkPress refuses arguments that exclude each other or would have no effect.
func checkPress(c *call) error {
	at, drags, scrolls := c.has("x") || c.has("y"), c.has("to_x") || c.has("to_y"), c.has("dx") || c.has("dy")
	clicks, buttons := !drags && !scrolls && !c.has("seconds"), c.text("button") == "right" || c.text("button") == "middle"
	several := c.number("count", 1) > 1
	switch {
	case c.has("element") == at, at && !(c.has("x") && c.has("y")):
		return invalid("pass either element, or x and y")
	case drags && !(c.has("to_x") && c.has("to_y")):
		return invalid("a drag needs to_x and to_y")
	case drags && scrolls:
		return invalid("pass either to_x and to_y to drag, or dx and dy to scroll")
	case c.text("action") != "" && at:
		return invalid("action needs element")
	case c.text("action") != "" && (!clicks || buttons || several):
		return invalid("action takes only element: leave out button, count, seconds and positions")
	case several && !clicks:
		return invalid("count is only for clicks")
	case buttons && !clicks && !drags:
		return invalid("button is only for clicks and drags")
	}
	return nil
}

// clicksElement reports whether the service can click the element itself. Middle clicks, triple clicks
// and double clicks with the right button need a position.
func (a args) clicksElement() bool {
	count := a.number("count", 1)
	return a.text("button") != "middle" && count <= 2 && !(a.text("button") == "right" && count > 1)
}

// pressElement clicks an element or performs one of its actions.
func pressElement(ctx context.Context, c *call, parent, id string) (*answer, error) {
	args := c.pick("expect_role", "expect_name", "action")
	args["parent"], args["element_id"] = parent, id
	if c.text("action") != "" {
		return c.withRef(ctx, parent, "perform_element_action", args)
	}
	switch {
	case c.text("button") == "right":
		args["click_type"] = "right"
	case c.number("count", 1) >= 2:
		args["click_type"] = "double"
	}
	return c.withRef(ctx, parent, "click_element", args)
}

// setCenter sets x and y to the center of an element after it checked that the element is the
// expected one.
func setCenter(ctx context.Context, c *call, parent, id string) error {
	c.args["element_id"] = id
	e, err := c.element(ctx, parent)
	if err != nil {
		return err
	}
	if e.X == nil || e.Y == nil {
		hint := "Take a screenshot, and pass x and y."
		if !c.hasPositions(ctx) {
			hint = "A Wayland session has no positions. Press the element, perform one of its actions, or scroll with the key Page_Down."
		}
		return refused("the position of the element is not known", hint)
	}
	c.args["x"], c.args["y"] = e.GetX()+e.GetWidth()/2, e.GetY()+e.GetHeight()/2
	return nil
}
