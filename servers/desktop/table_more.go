package desktop

func inputTools() []*tool {
	app := "parent@app Application that gets it (default: the desktop)"
	const at = "input.action."
	return []*tool{
		{name: "create_input", title: "Make an input", effect: acts, method: "CreateInput",
			doc:    "Make one input of pointer or keyboard: action has exactly one of click, type_text, press_key, move_mouse, drag, scroll, hover, gesture, button_down, button_up. Durations are in seconds.",
			params: params("action!=input.action The action, such as {\"click\": {\"position\": {\"x\": 10, \"y\": 20}}}", app, "input_id Id for the input")},
		{name: "click", title: "Click", effect: acts, method: "CreateInput", doc: "Click at a position. Prefer click_element.",
			params: params("@xy="+at+"click.position", "button="+at+"click.click_type Button (default left)", "click_count="+at+"click.click_count 2 for a double click", "show_animation="+at+"show_animation Show the click", app)},
		{name: "type_text", title: "Type text", effect: acts, method: "CreateInput", doc: "Type text into the element with the focus.",
			params: params("text!="+at+"type_text.text The text", "char_delay="+at+"type_text.char_delay Seconds between characters", "use_ime="+at+"type_text.use_ime Use the input method", app)},
		{name: "press_key", title: "Press a key", effect: acts, method: "CreateInput", run: pressKey, doc: "Press a key, with modifiers if needed, such as ctrl+s.",
			params: params("key!="+at+"press_key.key Key, such as a, return, escape, f5, or a combination such as ctrl+shift+t", "modifiers="+at+"press_key.modifiers Keys to hold", app)},
		{name: "hold_key", title: "Hold a key", effect: acts, method: "CreateInput", run: pressKey, doc: "Hold a key for some time.",
			params: params("key!="+at+"press_key.key Key or combination", "duration!="+at+"press_key.hold_duration Seconds", "modifiers="+at+"press_key.modifiers Keys to hold", app)},
		{name: "mouse_move", title: "Move the pointer", effect: acts, method: "CreateInput", doc: "Move the pointer to a position.",
			params: params("@xy="+at+"move_mouse.position", "duration="+at+"move_mouse.duration Seconds", app)},
		{name: "scroll", title: "Scroll", effect: acts, method: "CreateInput", doc: "Scroll at a position, or where the pointer is.",
			params: append(params("x="+at+"scroll.position.x Horizontal position", "y="+at+"scroll.position.y Vertical position", "horizontal="+at+"scroll.horizontal Notches of the wheel to the right", "vertical="+at+"scroll.vertical Notches down", "duration="+at+"scroll.duration Seconds", app),
				extraParam("screenshot", "string", "Id of a screenshot: the position is in its picture"))},
		{name: "drag", title: "Drag", effect: acts, method: "CreateInput", doc: "Press the button at one position and release it at another.",
			params: params("@xystart_="+at+"drag.start_position", "@xyend_="+at+"drag.end_position", "duration="+at+"drag.duration Seconds", "button="+at+"drag.button Button (default left)", app)},
		{name: "mouse_button_down", title: "Press a mouse button", effect: acts, method: "CreateInput", doc: "Press a mouse button and keep it pressed.",
			params: params("@xy="+at+"button_down.position", "button="+at+"button_down.button Button (default left)", "modifiers="+at+"button_down.modifiers Keys to hold", app)},
		{name: "mouse_button_up", title: "Release a mouse button", effect: acts, method: "CreateInput", doc: "Release a mouse button.",
			params: params("@xy="+at+"button_up.position", "button="+at+"button_up.button Button (default left)", "modifiers="+at+"button_up.modifiers Keys to hold", app)},
		{name: "hover", title: "Hover", effect: acts, method: "CreateInput", run: hover, doc: "Keep the pointer at a position for some time.",
			params: params("@xy="+at+"hover.position", "duration="+at+"hover.duration Seconds (default 1)", "application@app="+"parent Application that gets it")},
		{name: "gesture", title: "Make a gesture", effect: acts, method: "CreateInput", doc: "Make a gesture of a touchpad.",
			params: params("@xycenter_="+at+"gesture.center", "gesture_type!="+at+"gesture.gesture_type Kind of gesture", "scale="+at+"gesture.scale For pinch and zoom", "rotation="+at+"gesture.rotation Degrees", "finger_count="+at+"gesture.finger_count Fingers", "direction="+at+"gesture.direction For swipe", app)},
		{name: "get_input", title: "Get an input", effect: knows, method: "GetInput", doc: "Get the state of an input.", params: params("name! Name of the input")},
		{name: "list_inputs", title: "List inputs", effect: knows, method: "ListInputs", doc: "List inputs and their states.", params: params("parent@app "+appDoc, "@page", "filter Such as state=failed", "@bytes")},
	}
}

func observationTools() []*tool {
	const at = "observation."
	name := "name! Observation: applications/PID/observations/ID"
	return []*tool{
		{name: "create_observation", title: "Observe an application", effect: looks, method: "CreateObservation", run: createObservation,
			doc: "Begin to observe elements, windows or an application. stream_observations returns the events.",
			params: params("parent!@app "+appDoc, "type="+at+"type What to observe (default element_changes)", "visible_only="+at+"filter.visible_only Only elements that show", "poll_interval="+at+"filter.poll_interval Seconds between looks",
				"roles="+at+"filter.roles Only these roles", "attributes="+at+"filter.attributes Only these attributes", "activate="+at+"activate Bring it to the front first", "observation_id Id for the observation")},
		{name: "get_observation", title: "Get an observation", effect: knows, method: "GetObservation", doc: "Get the state of an observation.", params: params(name)},
		{name: "list_observations", title: "List observations", effect: knows, method: "ListObservations", doc: "List the observations of an application.", params: params("parent!@app "+appDoc, "@page", "@bytes")},
		{name: "cancel_observation", title: "Cancel an observation", effect: arranges, method: "CancelObservation", run: cancelObservation, doc: "End an observation.", params: params(name)},
		{name: "stream_observations", title: "Read the events of an observation", effect: looks, method: "StreamObservations", run: streamObservations,
			doc:    "Wait for events of an observation and return them. Each event is also reported as progress. To poll, pass timeout=0 and the last sequence as after.",
			params: append(params(name, "@bytes"), extraParam("timeout", "number", "Seconds to wait for an event (default 10, at most 3600)"), extraParam("after", "integer", "Only events after this sequence")),
			answer: []string{"events:objects Events with sequence and event_time", "last_sequence:integer Pass it as after", "ended:boolean No more events come", "lost:integer Events that were dropped"}},
	}
}

func sessionTools() []*tool {
	name := "name! Session: sessions/ID"
	return []*tool{
		{name: "create_session", title: "Create a session", effect: arranges, method: "CreateSession", doc: "Create a session, which records operations and groups them into transactions. It expires after an hour.",
			params: params("session_id Id for the session", "display_name=session.display_name Name for people", "metadata=session.metadata Further data")},
		{name: "get_session", title: "Get a session", effect: knows, method: "GetSession", doc: "Get the state of a session.", params: params(name)},
		{name: "list_sessions", title: "List sessions", effect: knows, method: "ListSessions", doc: "List sessions.", params: params("@page", "@bytes")},
		{name: "delete_session", title: "Delete a session", effect: acts, method: "DeleteSession", doc: "Delete a session.", params: params(name, "force Even with an open transaction")},
		{name: "get_session_snapshot", title: "Get the history of a session", effect: knows, method: "GetSessionSnapshot", doc: "Get a session with its applications, observations and operations.", params: params(name, "@bytes")},
		{name: "begin_transaction", title: "Begin a transaction", effect: arranges, method: "BeginTransaction", doc: "Begin a transaction in a session.",
			params: params("session! Session: sessions/ID", "isolation_level Isolation (default serializable)", "timeout Seconds until it ends without an undo (default 300, at most 1800)")},
		{name: "commit_transaction", title: "Commit a transaction", effect: arranges, method: "CommitTransaction", doc: "End a transaction and keep its operations.", params: params(name, "transaction_id! Id from begin_transaction")},
		{name: "rollback_transaction", title: "Roll back a transaction", effect: acts, method: "RollbackTransaction", run: rollback, doc: "End a transaction and undo what was done in it, as far as that is possible. The answer says what stays.",
			params: params(name, "transaction_id! Id from begin_transaction", "revision_id How many operations stay (default: none)")},
	}
}

func macroTools() []*tool {
	name := "name! Macro: macros/ID"
	fields := []string{
		"description=macro.description What it does", "tags=macro.tags Words to find it by",
		"parameters=macro.parameters Values to ask for: key, type, default_value, required",
	}
	actions := "actions%s=macro.actions Actions in order. Each has one of input, wait, conditional, loop, assign, method_call, such as {\"input\": {\"press_key\": {\"key\": \"return\"}}}"
	create := append([]string{"display_name!=macro.display_name Name for people", replaceOnce(actions, "!")}, append(fields, "macro_id Id for the macro")...)
	update := append([]string{"name!=macro.name Macro: macros/ID", "display_name=macro.display_name New name", replaceOnce(actions, "")}, fields...)
	return []*tool{
		{name: "create_macro", title: "Create a macro", effect: arranges, method: "CreateMacro", run: saveMacro, doc: "Create a macro: actions with waits, conditions, loops and variables. Actions may also be steps as the tool run takes them.",
			params: params(append(create, "@bytes")...)},
		{name: "get_macro", title: "Get a macro", effect: knows, method: "GetMacro", doc: "Get a macro with its actions.", params: params(name, "@bytes")},
		{name: "list_macros", title: "List macros", effect: knows, method: "ListMacros", doc: "List macros.", params: params("@page", "@bytes")},
		{name: "update_macro", title: "Change a macro", effect: arranges, method: "UpdateMacro", run: saveMacro, doc: "Change the given parts of a macro.", params: params(append(update, "@bytes")...)},
		{name: "delete_macro", title: "Delete a macro", effect: acts, method: "DeleteMacro", doc: "Delete a macro.", params: params(name, "force Even if it runs")},
		{name: "execute_macro", title: "Run a macro", effect: acts, method: "ExecuteMacro", run: executeMacro, doc: "Run a macro to its end, with progress. Returns which actions ran.",
			params: params("macro! Macro: macros/ID", "parameter_values Values of its parameters", "application@app Application that it works in", "speed=options.speed 2 halves all durations",
				"continue_on_error=options.continue_on_error Go on after a failed action", "timeout=options.timeout Seconds (default 300)", "record_execution=options.record_execution Return a log of the actions", "@bytes")},
	}
}
