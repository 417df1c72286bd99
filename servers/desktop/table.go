package desktop

// allTools returns every tool: the tools of seed 002, and newer ones that clients use. Each call
// makes new tools, because the SDK resolves their schemas in place.
func allTools() []*tool {
	var all []*tool
	for _, group := range [][]*tool{
		applicationTools(), windowTools(), elementTools(), displayTools(), clipboardTools(), inputTools(), observationTools(),
		scriptTools(), screenshotTools(), sessionTools(), macroTools(), fileTools(),
	} {
		all = append(all, group...)
	}
	return all
}

const (
	appDoc     = "Application: applications/PID, a PID, or a part of its name"
	windowDoc  = "Window: applications/PID/windows/ID, or a part of its title"
	placeDoc   = "Application or window to look in"
	elementDoc = "Element: applications/PID/elements/ID, or PID:ID"
)

func applicationTools() []*tool {
	return []*tool{
		{name: "open_application", title: "Open an application", effect: acts, method: "OpenApplication",
			doc:    "Open an application, or bring it to the front if it runs. Waits until it is there.",
			params: params("id! Name, bundle or desktop file id, or path", "background Do not bring it to the front")},
		{name: "get_application", title: "Get an application", effect: looks, method: "GetApplication",
			doc: "Get the name and PID of an application.", params: params("name!@app " + appDoc)},
		{name: "list_applications", title: "List applications", effect: looks, method: "ListApplications",
			doc:    "List the applications that run.",
			params: params("@page", "order_by name, pid or display_name, with desc for the reverse", "filter Such as display_name=\"Calculator\"", "@bytes")},
		{name: "delete_application", title: "Stop tracking an application", effect: arranges, method: "DeleteApplication",
			doc: "Stop tracking an application. It keeps running: use close_window to end it.", params: params("name!@app "+appDoc, "force Even if it is in use")},
	}
}

func windowTools() []*tool {
	name := "name!@window " + windowDoc
	return []*tool{
		{name: "get_window", title: "Get a window", effect: looks, method: "GetWindow", doc: "Get the fresh title, position, size and visibility of a window.", params: params(name)},
		{name: "list_windows", title: "List windows", effect: looks, method: "ListWindows", run: listWindows,
			doc:    "List the windows of an application, or of all applications.",
			params: params("parent@app "+appDoc+". Without it: all", "@page", "order_by window_id, title or z_order, with desc for the reverse", "filter Such as visible=true", "@bytes")},
		{name: "get_window_state", title: "Get the state of a window", effect: looks, method: "GetWindowState", run: windowState,
			doc: "Get what a window allows and whether it is minimised, focused, modal or fullscreen. Slower than get_window.", params: params(name)},
		{name: "focus_window", title: "Focus a window", effect: arranges, method: "FocusWindow", doc: "Bring a window to the front and focus it.", params: params(name)},
		{name: "move_window", title: "Move a window", effect: arranges, method: "MoveWindow", doc: "Move the top left corner of a window.", params: params(name, "x! New left edge", "y! New top edge")},
		{name: "resize_window", title: "Resize a window", effect: arranges, method: "ResizeWindow", doc: "Change the size of a window.", params: params(name, "width! New width", "height! New height")},
		{name: "minimize_window", title: "Minimise a window", effect: arranges, method: "MinimizeWindow", doc: "Minimise a window.", params: params(name)},
		{name: "restore_window", title: "Restore a window", effect: arranges, method: "RestoreWindow", doc: "Restore a minimised window.", params: params(name)},
		{name: "close_window", title: "Close a window", effect: acts, method: "CloseWindow",
			doc: "Close a window. Its application may ask about unsaved work: look afterwards.", params: params(name, "force Close it without asking, and lose unsaved work")},
	}
}

func elementTools() []*tool {
	in, target := "parent!@place "+placeDoc, "element_id Id of an element from an answer"
	return []*tool{
		{name: "find_elements", title: "Find elements", effect: looks, method: "FindElements",
			doc:    "Find elements of a window or application that fit all conditions. Without conditions: all elements.",
			params: params(in, "@selector", "visible_only Only elements that show", "force_refresh Read again instead of from the cache", "@page", "@bytes")},
		{name: "find_region_elements", title: "Find elements in a region", effect: looks, method: "FindRegionElements",
			doc:    "Find elements within an area of the screen.",
			params: params(in, "x!=region.x Left edge", "y!=region.y Top edge", "width!=region.width Width", "height!=region.height Height", "@selector", "force_refresh Read again instead of from the cache", "@page", "@bytes")},
		{name: "get_element", title: "Get an element", effect: looks, method: "GetElement", doc: "Get an element with its present text and state.", params: params("name!@element "+elementDoc, "@bytes")},
		{name: "get_element_actions", title: "Get the actions of an element", effect: looks, method: "GetElementActions", doc: "List the accessibility actions of an element.", params: params("name!@element " + elementDoc)},
		{name: "click_element", title: "Click an element", effect: acts, method: "ClickElement", run: onElement,
			doc: "Click one element, given by element_id or by conditions that fit it alone.", params: params(in, target, "@selector", "click_type Kind of click (default single)", "@expect")},
		{name: "write_element_value", title: "Write the value of an element", effect: acts, method: "WriteElementValue", run: onElement,
			doc: "Replace the text or value of one element, and read it back. Refuses fields for passwords.", params: params(in, target, "@selector", "value! The new value", "@expect")},
		{name: "perform_element_action", title: "Perform an action of an element", effect: acts, method: "PerformElementAction", run: onElement,
			doc: "Perform an accessibility action of one element, such as press. get_element_actions lists them.", params: params(in, target, "@selector", "action! Name of the action", "@expect")},
		{name: "wait_element", title: "Wait for an element", effect: looks, method: "WaitElement", run: waitElement,
			doc: "Wait until an element fits all conditions.", params: params(in, "@selector", "timeout Seconds (default 30)", "poll_interval Seconds between looks (default 0.5)")},
		{name: "wait_element_state", title: "Wait for a state of an element", effect: looks, method: "WaitElementState", run: waitState,
			doc: "Wait until an element is enabled or focused, or has a text.",
			params: append(params(in, target, "@selector", "timeout Seconds (default 30)", "poll_interval Seconds between looks (default 0.5)"),
				required(choice("condition", "What to wait for", "enabled", "disabled", "focused", "text_equals", "text_contains")), extraParam("value", "string", "The text for text_equals and text_contains"))},
		{name: "traverse_accessibility", title: "Read the elements of an application", effect: looks, method: "TraverseAccessibility",
			doc:    "Read the whole tree of elements of an application, with counts. Prefer find_elements.",
			params: params("name!@app "+appDoc, "visible_only Only elements that show", "activate Bring it to the front first", "@bytes")},
		{name: "watch_accessibility", title: "Watch the elements of an application", effect: looks, method: "WatchAccessibility", run: watchAccessibility,
			doc:    "Return which elements appear, disappear and change within some seconds.",
			params: append(params("name!@app "+appDoc, "poll_interval Seconds between looks", "visible_only Only elements that show", "@bytes"), extraParam("timeout", "number", "Seconds to watch (default 5, at most 60)"))},
	}
}

func displayTools() []*tool {
	return []*tool{
		{name: "list_displays", title: "List displays", effect: knows, method: "ListDisplays", doc: "List the displays with their position, size and scale.", params: params("@page")},
		{name: "get_display", title: "Get a display", effect: knows, method: "GetDisplay", doc: "Get the position, size and scale of a display.", params: params("name! Display: displays/ID")},
		{name: "cursor_position", title: "Get the position of the pointer", effect: knows, method: "CaptureCursorPosition", doc: "Get the position of the pointer."},
	}
}

func clipboardTools() []*tool {
	return []*tool{
		{name: "get_clipboard", title: "Read the clipboard", effect: looks, method: "GetClipboard", fixed: "name=clipboard", run: getClipboard,
			doc: "Read the clipboard: text, HTML, a picture or paths of files.", params: params("@bytes")},
		{name: "write_clipboard", title: "Write the clipboard", effect: arranges, method: "WriteClipboard", run: writeClipboard,
			doc: "Put text, HTML, a link or files on the clipboard.",
			params: append(params("clear_existing Remove other formats first"), extraParam("text", "string", "Plain text"), extraParam("html", "string", "HTML"), extraParam("url", "string", "A link"),
				list("files", "Paths of files"), extraParam("image", "string", "A PNG picture in base64"))},
		{name: "clear_clipboard", title: "Clear the clipboard", effect: acts, method: "ClearClipboard", doc: "Remove everything from the clipboard."},
		{name: "get_clipboard_history", title: "Read the history of the clipboard", effect: looks, method: "GetClipboardHistory", fixed: "name=clipboard/history",
			doc: "Read earlier contents of the clipboard, newest first.", params: params("@bytes")},
	}
}

func screenshotTools() []*tool {
	shot := func(name, title, method, doc string, lines ...string) *tool {
		lines = append(lines, "format Default png. tiff comes as png", "quality 1 to 100, for JPEG", "include_ocr=include_ocr_text Also recognize the text in it")
		t := &tool{name: name, title: title, effect: looks, method: method, doc: doc + " The picture is scaled down to max_side; positions in it are given back with screenshot."}
		t.params = append(params(append(lines, "@bytes")...), extraParam("max_side", "integer", "Longer side of the picture in pixels (default 1568)"))
		t.answer = []string{"screenshot:string Id for positions in the picture", "mime_type:string", "x:number Left edge of the picture on the desktop", "y:number Top edge", "scale:number Desktop pixels for one of the picture"}
		return t
	}
	return []*tool{
		shot("capture_screenshot", "Take a screenshot", "CaptureScreenshot", "Take a picture of a display.", "display Number of a display (default: the main one)"),
		shot("capture_window_screenshot", "Take a screenshot of a window", "CaptureWindowScreenshot", "Take a picture of a window.", "window!@window "+windowDoc, "include_shadow With its shadow"),
		shot("capture_element_screenshot", "Take a screenshot of an element", "CaptureElementScreenshot", "Take a picture of an element.", "parent!@place Its application or window", "element_id! Id of the element", "padding Pixels around it"),
		shot("capture_region_screenshot", "Take a screenshot of a region", "CaptureRegionScreenshot", "Take a picture of an area of the screen.",
			"x!=region.x Left edge", "y!=region.y Top edge", "width!=region.width Width", "height!=region.height Height", "display Refuse if the area is not on this display"),
	}
}

func scriptTools() []*tool {
	script := func(name, title, method, doc string) *tool {
		return &tool{name: name, title: title, effect: acts, method: method, script: true, doc: doc + " The user has to allow scripts first.",
			params: params("script! The script", "timeout Seconds", "compile_only Only check it", "@bytes")}
	}
	return []*tool{
		script("execute_apple_script", "Run AppleScript", "ExecuteAppleScript", "Run AppleScript on macOS."),
		script("execute_javascript", "Run JavaScript for Automation", "ExecuteJavaScript", "Run JavaScript for Automation on macOS."),
		{name: "execute_shell_command", title: "Run a shell command", effect: acts, method: "ExecuteShellCommand", script: true, doc: "Run a command as the user, with all their rights. The user has to turn that on and allows each command.",
			params: params("command! The command", "args Its arguments", "working_directory Folder to run in", "environment Further variables", "timeout Seconds", "stdin Text for its input", "shell Path of the shell", "@bytes")},
		{name: "validate_script", title: "Check a script", effect: knows, method: "ValidateScript", doc: "Check the syntax of a script without running it.",
			params: params("type! Language of the script: applescript, javascript or shell", "script! The script", "@bytes")},
		{name: "get_scripting_dictionaries", title: "List what applications can be scripted", effect: looks, method: "GetScriptingDictionaries", fixed: "name=scriptingDictionaries",
			doc: "List the applications with script commands.", params: params("@bytes")},
	}
}

func fileTools() []*tool {
	app := "application!@app " + appDoc
	return []*tool{
		{name: "automate_open_file_dialog", title: "Open a file in a dialog", effect: acts, method: "AutomateOpenFileDialog", doc: "Choose files in the open dialog that an application shows.",
			params: params(app, "file_path Path to open", "default_directory Folder to begin in", "file_filters Patterns such as *.txt", "timeout Seconds", "allow_multiple Several files")},
		{name: "automate_save_file_dialog", title: "Save a file in a dialog", effect: acts, method: "AutomateSaveFileDialog", doc: "Save under a path in the save dialog that an application shows.",
			params: params(app, "file_path! Path to save to", "default_directory Folder to begin in", "default_filename Name of the file", "timeout Seconds", "confirm_overwrite Replace a file that exists")},
		{name: "select_file", title: "Select a file", effect: acts, method: "SelectFile", doc: "Select a file in an application.", params: params(app, "file_path! Path of the file", "reveal_finder Show it in the file manager")},
		{name: "select_directory", title: "Select a folder", effect: acts, method: "SelectDirectory", doc: "Select a folder in an application.", params: params(app, "directory_path! Path of the folder", "create_missing Create it if it is missing")},
		{name: "drag_files", title: "Drag files", effect: acts, method: "DragFiles", doc: "Drop files onto an element, such as the field for files of a web page.",
			params: params(app, "file_paths! Paths of the files", "target_element_id! Id of the element", "duration Seconds")},
	}
}
