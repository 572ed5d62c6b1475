/** Look, say what is wrong, mend it, look again: a loop that ends when the picture is right. */
export const visualIteration = `name = "visual-iteration"
description = "Screenshot, feedback, refine, again, until it is right; then commit"
initial = "idle"
final = ["complete"]
iterations = { stage = "capturing", max = 5 }

[[stages]]
name = "idle"

[[stages]]
name = "capturing"
description = "Takes a picture of the page"
actions = [{ name = "take a screenshot", on = { tool = ["screenshot", "mcp__browser-tools__screenshot", "mcp__plugin_visual-iteration_browser-tools__screenshot"], status = "ok" } }]

[[stages]]
name = "analyzing"
description = "Compares it with what is wanted"

[[stages]]
name = "feedback-provided"
description = "Has said exact values"

[[stages]]
name = "refining"
description = "Changes styles and markup"
actions = [{ name = "change a file", on = { tool = ["Write", "Edit", "MultiEdit"], status = "ok" } }]

[[stages]]
name = "polished"

[[stages]]
name = "committing"
actions = [{ name = "commit", on = { commit = true } }]

[[stages]]
name = "complete"

[[transitions]]
from = ["idle", "refining", "polished", "complete"]
to = "capturing"
on = { command = "screenshot" }

[[transitions]]
from = "capturing"
to = "analyzing"
on = { command = "feedback" }

[[transitions]]
from = "analyzing"
to = "feedback-provided"
on = { text = { type = "regex", pattern = "[0-9]+ ?(px|rem|em|%)|#[0-9a-fA-F]{3,8}" } }

[[transitions]]
from = ["analyzing", "feedback-provided"]
to = "refining"
on = { command = "refine" }

[[transitions]]
from = ["analyzing", "feedback-provided", "refining"]
to = "polished"
on = { text = { type = "regex", pattern = "(?i)pixel[- ]perfect|polished|no (more|remaining|further) (issues|changes)" } }

[[transitions]]
from = ["polished", "refining", "feedback-provided"]
to = "committing"
on = { command = "commit-visual" }

[[transitions]]
from = "committing"
to = "complete"
on = { commit = true }
`;
