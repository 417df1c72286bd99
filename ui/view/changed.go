package view

// ChangedTool marks a tool that the user always allows and that has changed since the user
// allowed it.
const ChangedTool = "Changed since you allowed it"

// ChangedAdvice explains what the user can do about such a tool.
const ChangedAdvice = "You chose “Always” for it, and it changed since then. Open it to see what is different, and to keep allowing or revoke it. Its next call asks, too."
