"""Drives Pause with the official Python SDK: contract.py MODE COMMAND ARGS…

It answers the questions of each tool by elicitation. It prints one JSON object."""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, types


async def main():
    mode, command, args = sys.argv[1], sys.argv[2], sys.argv[3:]
    out = {"calls": []}
    answer = None

    async def elicited(context, params):
        if answer is None:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content=answer)

    async with Client(StdioServerParameters(command=command, args=args), mode=mode, elicitation_callback=elicited) as client:
        out["protocol"] = client.protocol_version
        tools = (await client.list_tools()).tools
        out["tools"] = {t.name: {"title": t.title, "output": bool(t.output_schema)} for t in tools}

        async def call(tool, content, **arguments):
            nonlocal answer
            answer = content
            result = await client.call_tool(tool, arguments)  # checks the output schema
            body = result.structured_content
            assert json.loads(result.content[0].text) == body, tool
            out["calls"].append([tool, body["status"], bool(result.is_error)])
            return body

        options = [{"label": "API first", "value": "api"}, {"label": "UI first", "value": "ui"}]
        plan = await call("planner", {"choice": "ui", "thinkingMode": "deep", "action": "execute"}, decision_context="How?", options=options)
        out["choice"] = plan["choice"]
        out["text"] = (await call("text_input", {"text": "Ada"}, question="Name?"))["text"]
        await call("single_choice", {"choice": "api"}, question="Which?", options=options)
        await call("multi_choice", {"choices": ["api", "ui"]}, question="Which?", options=options)
        await call("confirm", {"confirmed": True}, question="Delete?", isDangerous=True)
        await call("confirm", None, question="Delete?")
        await call("screenshot_request", None, question="Show me")
    print(json.dumps(out))


asyncio.run(main())
