/** Explore, plan, code, commit: four stages, each begun by its command; the commit itself completes it. */
export const agentLoop = `name = "agent-loop"
description = "Explore, plan, code, commit"
initial = "idle"
final = ["complete"]

[[stages]]
name = "idle"

[[stages]]
name = "exploring"
description = "Reads before it writes"
actions = [{ name = "look at the code", on = { tool = ["Read", "Glob", "Grep", "Bash", "Task", "Agent"], status = "ok" } }]

[[stages]]
name = "planning"
description = "Says what it will do"
actions = [{ name = "write a plan", on = { text = "plan" } }]

[[stages]]
name = "coding"
description = "Does it"
actions = [{ name = "change a file", on = { tool = ["Write", "Edit", "MultiEdit", "NotebookEdit"], status = "ok" } }]

[[stages]]
name = "committing"
description = "Hands it over"
actions = [{ name = "commit", on = { commit = true } }]

[[stages]]
name = "complete"

[[transitions]]
from = ["idle", "exploring", "complete"]
to = "exploring"
on = { command = "explore" }

[[transitions]]
from = ["exploring", "planning"]
to = "planning"
on = { command = "plan" }

[[transitions]]
from = ["planning", "coding"]
to = "coding"
on = { command = "code" }

[[transitions]]
from = ["coding", "committing"]
to = "committing"
on = { command = "commit" }

[[transitions]]
from = "committing"
to = "complete"
on = { commit = true }
`;
