"""The service on a scripted model: `pytest`, or `pytest --understudy-stage sim` with the stand-in."""
import asyncio
import sys
from pathlib import Path

import pytest
from triage import Triage, triage

HERE = Path(__file__).parent

pytestmark = pytest.mark.understudy(scenario="triage.scenario.toml", allow_unused=True)


def test_the_agent_looks_for_the_code(agents_on_path, project):
    project.write("src/login.py", "def login(): ...\n")
    found = asyncio.run(triage("Nobody can log in.", str(project.folder)))
    assert found == Triage("high", "everybody is locked out.")
    [call] = agents_on_path.calls
    assert call.prompt == "Triage this issue: Nobody can log in."
    assert [use.tool for use in call.tools] == ["Read"]


def test_a_failure_of_the_model_is_no_severity(agents_on_path):
    assert asyncio.run(triage("The model is down.")) == Triage("unknown", "the agent failed")
    agents_on_path.expect(call=[{"number": 1, "outcome": "failed"}])


def test_as_a_program(program):
    run = program.run([sys.executable, HERE / "triage.py"], stdin="A typo in the manual.")
    run.expect(
        stdout={"json": {"severity": "low"}},
        calls={"count": 1, "agent": "claude"},
        call=[{"prompt": {"contains": "A typo"}, "tools": {"none": ["Write"]}}],
    )


def test_the_agent_itself(conversation):
    turn = conversation.send("Triage this issue: A typo in the manual.")
    assert turn.ok
    turn.expect(says="Low", tools={"none": ["Bash"]})
