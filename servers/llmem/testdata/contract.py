"""Drives LLMem with the official Python SDK: contract.py MODE COMMAND ARGS…

It lists the tools, calls each, and runs one chain. It prints one JSON object."""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main():
    mode, command, args = sys.argv[1], sys.argv[2], sys.argv[3:]
    out = {"calls": []}
    async with Client(StdioServerParameters(command=command, args=args), mode=mode) as client:
        out["protocol"] = client.protocol_version
        tools = (await client.list_tools()).tools
        out["tools"] = {t.name: {"reads": bool(t.annotations.read_only_hint), "title": t.title, "output": bool(t.output_schema)} for t in tools}

        async def call(tool, **arguments):
            result = await client.call_tool(tool, arguments)  # checks the output schema
            body = result.structured_content
            assert json.loads(result.content[0].text) == body, tool
            out["calls"].append([tool, body["status"], bool(result.is_error)])
            return body

        await call("map_workspace", query="add a number")
        await call("find_symbol", name="add", references=True)
        await call("generate_artifact", path="a.py", task="parse")
        ready = await call("generate_artifact", path="a.py", task="annotate")
        await call(ready["callbackTool"], **ready["callbackArgs"], result="- `add`: Adds.")
        await call("generate_prompt", path="a.py", task="document")
        artifact = await call("get_artifact", path="a.py")
        out["note"] = artifact["data"]["symbols"][0]["note"]
        await call("list_artifacts", directory=".")
        await call("delete_artifact", path="a.py")
        await call("get_artifact", path="../x")
    print(json.dumps(out))


asyncio.run(main())
