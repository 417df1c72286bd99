package view

// ChangedTool marks a tool that the user always allows and that has changed since the user
// allowed it.
const ChangedTool = "Changed since you allowed it"

// ChangedAdvice explains what the user can do about such a tool.
const ChangedAdvice = "You chose “Always” for this tool, and it has changed since. Open it to see what is different, and to keep allowing it or to revoke “Always”. goated also asks before its next call."
