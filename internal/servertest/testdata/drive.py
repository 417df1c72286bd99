"""Drives servers with the official Python SDK: drive.py VISITS

VISITS is the JSON of servertest's OfficialClient.Run. Its mode is v1 for version 1 of the SDK,
else the mode of version 2. The program prints the JSON of what Run returns."""
import asyncio
import contextlib
import json
import sys

mode, command, args, extension, step, asked = None, None, [], None, None, ""


@contextlib.asynccontextmanager
async def first():
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async with stdio_client(StdioServerParameters(command=command, args=args)) as (read, write):
        async with ClientSession(read, write, elicitation_callback=elicited) as session:
            yield session, (await session.initialize()).protocolVersion


@contextlib.asynccontextmanager
async def second():
    from mcp import Client, StdioServerParameters
    from mcp.client.extension import advertise

    extensions = [advertise(extension)] if extension else None
    async with Client(StdioServerParameters(command=command, args=args), mode=mode, elicitation_callback=elicited, extensions=extensions) as client:
        yield client, client.protocol_version


async def elicited(context, params):
    from mcp import types

    global asked
    asked, answer = params.message, step.get("answer")
    if not answer:
        return types.ElicitResult(action="decline")
    if extension:
        return types.ElicitResult(action="accept", _meta={extension: answer})
    return types.ElicitResult(action="accept", content=answer)


async def drive(script):
    global extension, step, asked
    extension = script.get("extension")
    out = {"calls": []}
    async with (first if mode == "v1" else second)() as (client, out["protocol"]):
        tools = [t.model_dump(by_alias=True) for t in (await client.list_tools()).tools]
        out["tools"] = {t["name"]: {"title": t["title"], "reads": bool(t["annotations"]["readOnlyHint"]), "output": bool(t["outputSchema"])} for t in tools}
        for step in script["steps"]:
            name, given = step.get("tool"), step.get("args") or {}
            if step.get("callback"):
                last = out["calls"][-1]["structured"]
                name, given = last["callbackTool"], {**last["callbackArgs"], "result": step["callback"]}
            asked = ""
            result = (await client.call_tool(name, given)).model_dump(mode="json", by_alias=True, exclude_none=True)  # checks the output schema
            out["calls"].append({"tool": name, "asked": asked, "isError": bool(result.get("isError")), "structured": result.get("structuredContent"), "content": result["content"]})
    return out


async def visit(v):
    global mode, command, args
    mode, (command, *args) = v["mode"], v["command"]
    return [await drive(script) for script in v["drives"]]


async def main():
    print(json.dumps([await visit(v) for v in json.loads(sys.argv[1])]))


asyncio.run(main())
