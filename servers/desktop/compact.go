package desktop

// compactTools returns the ten tools that the server lists by default. Together they reach every
// function, because run calls any other tool by its name.
func compactTools() []*tool {
	ref := func(doc string) param { return extraParam("element", "string", doc) }
	in := extraParam("in", "string", "Application or window: PID, name, part of a title, or a name from see")
	num := func(name, doc string) param { return extraParam(name, "number", doc) }
	text := func(name, doc string) param { return extraParam(name, "string", doc) }
	flag := func(name, doc string) param { return extraParam(name, "boolean", doc) }
	shot := text("screenshot", "Id of the screenshot that the positions are in")
	long := extraParam("max_bytes", "integer", "Longest answer (default 8000)")
	criteria := []param{text("role", "Role, such as button"), text("text", "The whole text"), text("text_contains", "A part of it"), text("text_regex", "A regular expression")}
	expect := []param{text("expect_role", "Refuse if the element has another role"), text("expect_name", "Refuse if it has another text"), text("in", "Without element: refuse in another application than this one, or that of this window")}
	join := func(parts ...[]param) []param {
		var all []param
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	token := text("page_token", "next_page_token of the answer before")
	elements := []string{"elements:objects Elements; ref names one in other tools", "next_page_token:string"}
	return []*tool{
		{name: "see", title: "See the desktop", effect: looks, run: see,
			doc:    "Look at the desktop. Without arguments: displays, applications and windows. With in: the elements that show in it, each with its ref. With element: its state and actions.",
			params: []param{in, ref("Ref of an element"), flag("all", "Also elements without text or function, and hidden ones"), token, long},
			answer: append([]string{"displays:objects", "applications:objects Applications with their windows", "element:object", "actions:texts"}, elements...)},
		{name: "find", title: "Find elements", effect: looks, run: find,
			doc:    "Find elements by role and text, or in an area of the screen. All conditions have to fit.",
			params: join([]param{required(in)}, criteria, []param{num("x", "Left edge of an area"), num("y", "Top edge"), num("width", "Width"), num("height", "Height"), flag("all", "Also hidden elements, if there is no area"), token, long}), answer: elements},
		{name: "press", title: "Press", effect: acts, run: press,
			doc: "Click an element, or a position if the element has no ref. to_x and to_y drag there; dx and dy scroll; seconds hovers. action performs an accessibility action instead.",
			params: join([]param{ref("Ref of the element"), num("x", "Position"), num("y", "Position"), shot, choice("button", "Default left", "left", "right", "middle"), extraParam("count", "integer", "2 for a double click"),
				text("action", "Accessibility action, such as press"), num("to_x", "End of a drag"), num("to_y", "End of a drag"), num("dx", "Scroll right, in notches of the wheel"), num("dy", "Scroll down; negative is up"), num("seconds", "Duration of the hover, drag or scroll")}, expect),
			answer: []string{"element:object The element afterwards", "state:string"}},
		{name: "type", title: "Type", effect: acts, run: typeText,
			doc:    "Type text where the focus is. With element: replace its value and read it back. With key: press a key or combination, such as return or ctrl+s.",
			params: join([]param{text("text", "The text"), ref("Ref of the field"), text("key", "Key to press after the text"), num("seconds", "How long to hold the key")}, expect),
			answer: []string{"element:object The element afterwards", "state:string"}},
		{name: "wait", title: "Wait", effect: looks, run: wait,
			doc: "Wait until an element or window appears or is gone, until an element has a state, or some seconds. Name an element with element, or describe it with in and conditions.",
			params: join([]param{in}, criteria, []param{ref("Ref of the element. Pass state or gone with it"), choice("state", "State of the element", "enabled", "disabled", "focused", "text_equals", "text_contains"), text("value", "Text of the state"),
				text("window", "Window: name from see, or part of the title"), flag("gone", "Wait until it is gone"), num("seconds", "Longest wait (default 30, at most 300)")}),
			answer: []string{"element:object The element that fits", "window:object The window that fits"}},
		{name: "window", title: "Arrange a window", effect: acts, run: window,
			doc:    "Focus, move, resize, minimise, restore or close a window, or get its state.",
			params: []param{required(choice("action", "What to do", "focus", "move", "resize", "minimize", "restore", "close", "state")), required(text("window", "Name from see, or part of the title")), num("x", "For move"), num("y", "For move"), num("width", "For resize"), num("height", "For resize"), flag("force", "Close without asking, and lose unsaved work")},
			answer: []string{"name:string", "title:string", "bounds:object", "visible:boolean", "minimized:boolean", "focused:boolean"}},
		{name: "screenshot", title: "Take a screenshot", effect: looks, run: screenshot,
			doc: "Take a picture of the screen, a window, an element or an area. Use it where elements do not show what you need.",
			params: []param{text("window", "Name from see, or part of the title"), ref("Ref of an element"), num("x", "Left edge of an area"), num("y", "Top edge"), num("width", "Width"), num("height", "Height"), extraParam("display", "integer", "Number of a display"),
				choice("format", "Default png", "png", "jpeg"), extraParam("max_side", "integer", "Longer side in pixels (default 1568)"), flag("ocr", "Also recognize text")},
			answer: []string{"screenshot:string Id for press", "width:integer", "height:integer", "mime_type:string", "x:number", "y:number", "scale:number", "ocr_text:string"}},
		{name: "clipboard", title: "Use the clipboard", effect: acts, run: clipboard,
			doc:    "Read, write or clear the clipboard, or read its history.",
			params: []param{required(choice("action", "What to do", "read", "write", "clear", "history")), text("text", "Text to write"), text("html", "HTML to write"), list("files", "Paths of files to write"), long},
			answer: []string{"content:object", "available_types:texts", "entries:objects", "success:boolean"}},
		{name: "app", title: "Open applications", effect: acts, run: app,
			doc:    "Open an application or bring it to the front, list the applications, or stop tracking one.",
			params: []param{required(choice("action", "What to do", "open", "list", "get", "forget")), text("name", "Name, desktop file id, bundle id or path"), flag("background", "Do not bring it to the front"), token, long},
			answer: []string{"application:object", "applications:objects", "next_page_token:string"}},
		{name: "run", title: "Run a macro or a further function", effect: acts, run: runAny,
			doc:    "Run steps as one macro with progress, run a saved macro, or call a further function by its name: observations, sessions, macros, scripts, file dialogs, displays, gestures. Without arguments it lists them.",
			params: []param{stepsParam(), text("macro", "Name of a saved macro"), list("values", "Values of its parameters as NAME=VALUE"), text("app", "Application that it works in. press and write need it, except with a ref"), num("timeout", "Seconds (default 300)"), text("tool", "Name of a further function"), text("arguments", "Its arguments as JSON"), long},
			answer: []string{"actions_executed:integer", "log:objects", "functions:texts", "result:object Answer of the function"}},
	}
}
