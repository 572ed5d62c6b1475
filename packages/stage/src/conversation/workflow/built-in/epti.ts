/** Test first: tests are written, seen to fail and committed before any code is. */
export const epti = `name = "epti"
description = "Write tests, see them fail, commit them, implement, iterate, commit the code"
initial = "idle"
final = ["complete"]

[[stages]]
name = "idle"

[[stages]]
name = "writing-tests"
actions = [{ name = "write a test file", on = { file = { type = "regex", pattern = "(?i)(^|/)tests?/|test" } } }]

[[stages]]
name = "verifying-failure"
actions = [{ name = "run the tests", on = { tool = "Bash" } }, { name = "see them fail", on = [{ tool = "Bash", status = "error" }, { tool = "Bash", result = "fail" }] }]

[[stages]]
name = "committing-tests"
actions = [{ name = "commit the tests", on = { commit = true } }]

[[stages]]
name = "committed-tests"

[[stages]]
name = "implementing"
actions = [{ name = "change a file", on = { tool = ["Write", "Edit", "MultiEdit", "NotebookEdit"], status = "ok" } }]

[[stages]]
name = "iterating"
actions = [{ name = "run the tests", on = { tool = "Bash" } }, { name = "see them pass", on = { tool = "Bash", status = "ok" } }]

[[stages]]
name = "committing-code"
actions = [{ name = "commit the code", on = { commit = true } }]

[[stages]]
name = "complete"

[[transitions]]
from = ["idle", "writing-tests", "complete"]
to = "writing-tests"
on = { command = "write-tests" }

[[transitions]]
from = ["writing-tests", "verifying-failure"]
to = "verifying-failure"
on = { command = "verify-fail" }

[[transitions]]
from = "verifying-failure"
to = "committing-tests"
on = { command = "commit-tests" }

[[transitions]]
from = "committing-tests"
to = "committed-tests"
on = { commit = true }

[[transitions]]
from = ["committed-tests", "implementing"]
to = "implementing"
on = { command = "implement" }

[[transitions]]
from = ["implementing", "iterating"]
to = "iterating"
on = { command = "iterate" }

[[transitions]]
from = "iterating"
to = "committing-code"
on = { command = "commit-code" }

[[transitions]]
from = "committing-code"
to = "complete"
on = { commit = true }
`;
