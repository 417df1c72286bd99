"""Asks the user for a server in another file."""


def ask(context):
    return context.elicit("Which tip?", {"type": "object", "properties": {"tip": {"type": "integer"}}, "required": ["tip"]})
