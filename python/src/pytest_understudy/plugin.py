"""The pytest plugin: options, markers, fixtures, and what fails a test."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from .client import ExpectationFailed, Understudy, UnderstudyError
from .conversation import Conversation
from .harness import Harness, Plugin, Project
from .options import MARKERS, STAGES, marked_values, options_of
from .programs import PlacedAgents
from .rehearsals import ENDING, RehearsalFile
from .session import end_understudy, understudy_of
from .tools import HarnessClient

_HARNESS = pytest.StashKey[Harness]()
_FAILED = pytest.StashKey[bool]()


class ScriptNotFollowed(AssertionError):
    """A rule was never used, or nothing answered a prompt."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the command line and of the configuration."""
    group = parser.getgroup("understudy", "rehearsing coding agents")
    group.addoption(
        "--understudy-stage", choices=STAGES, default=None, help="where all tests are played, whatever they say"
    )
    group.addoption(
        "--understudy-agent", action="append", default=[], metavar="AGENT", help="the agent, whatever the tests say"
    )
    group.addoption(
        "--understudy-isolation",
        default=None,
        metavar="LEVEL",
        help="auto, required, none, sandbox, docker or docker=IMAGE, whatever the tests say",
    )
    parser.addini("understudy_command", "the command that starts understudy (default: node_modules, PATH, npx)")


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known."""
    for line in MARKERS:
        config.addinivalue_line("markers", line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process, however the session went."""
    end_understudy(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Rehearsal files are tests."""
    if ENDING.search(file_path.name):
        collected: pytest.Collector = RehearsalFile.from_parent(parent, path=file_path)
        return collected
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Several agents or stages in a marker: the test runs once for each."""
    for name in ("agent", "stage"):
        fixture = f"understudy_{name}"
        values = marked_values(metafunc.definition, name)
        if len(values) > 1 and fixture in metafunc.fixturenames and not metafunc.config.getoption(fixture):
            metafunc.parametrize(fixture, values, indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that passed fails when its script was not followed. A test that failed reports what was not answered."""
    __tracebackhide__ = True
    try:
        result = yield
    except BaseException as error:
        if not isinstance(error, pytest.skip.Exception):
            _tell(item, error)
        raise
    harness = item.stash.get(_HARNESS, None)
    problems = [] if harness is None else harness.problems(failed=False)
    if problems:
        item.stash[_FAILED] = True
        raise ScriptNotFollowed("\n\n".join(problems))
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What happened in no line of the test is reported without the frames of this plugin."""
    report = yield
    error = None if call.excinfo is None else call.excinfo.value
    before_test = call.when == "setup" and isinstance(error, UnderstudyError | pytest.UsageError)
    if before_test or isinstance(error, ScriptNotFollowed):
        report.longrepr = str(error)
    return report


def _tell(item: pytest.Item, failure: BaseException) -> None:
    item.stash[_FAILED] = True
    harness = item.stash.get(_HARNESS, None)
    if harness is None:
        return
    try:
        # A failed expectation shows the conversation itself.
        shown = "" if isinstance(failure, ExpectationFailed) else harness.describe()
        for text in (*harness.problems(failed=True), shown):
            if text:
                item.add_report_section("call", "understudy", text)
    except Exception as error:  # The failure of the test is what matters.
        item.add_report_section("call", "understudy", str(error))


@pytest.fixture(scope="session")
def understudy(request: pytest.FixtureRequest) -> Understudy:
    """The running harness."""
    return understudy_of(request.config)


@pytest.fixture
def understudy_agent(request: pytest.FixtureRequest) -> str | None:
    """The agent of this test, where its marker names several."""
    agent: str | None = getattr(request, "param", None)
    return agent


@pytest.fixture
def understudy_stage(request: pytest.FixtureRequest) -> str | None:
    """The stage of this test, where its marker names several."""
    stage: str | None = getattr(request, "param", None)
    return stage


@pytest.fixture
def understudy_options(
    request: pytest.FixtureRequest, understudy_agent: str | None, understudy_stage: str | None
) -> dict[str, Any]:
    """What the markers say. Override it for what is known only when the test runs."""
    options = options_of(request.node)
    chosen = {"agent": understudy_agent, "stage": understudy_stage}
    return {**options, **{name: value for name, value in chosen.items() if value is not None}}


@pytest.fixture
def harness(
    request: pytest.FixtureRequest, understudy: Understudy, understudy_options: dict[str, Any]
) -> Generator[Harness, None, None]:
    """Starts more conversations, makes more projects, puts agents in place."""
    made = Harness(understudy, understudy_options, request.node.path.parent)
    request.node.stash[_HARNESS] = made
    yield made
    problems = made.end(failed=request.node.stash.get(_FAILED, False))
    if problems:
        raise ScriptNotFollowed("\n\n".join(problems))


@pytest.fixture
def project(harness: Harness) -> Project:
    """The project in which the agent and programs of this test work."""
    return harness.project()


@pytest.fixture
def plugin(harness: Harness) -> Plugin:
    """A copy of the first of the test's plugins."""
    return harness.plugin()


@pytest.fixture
def conversation(harness: Harness, project: Project) -> Conversation:
    """A conversation with the agent, started as the markers say."""
    return harness.start(cwd=project.folder)


@pytest.fixture
def agents_on_path(
    harness: Harness, project: Project, monkeypatch: pytest.MonkeyPatch
) -> PlacedAgents:
    """The agent first on PATH, and the scripted model by environment, in the test's own process."""
    return harness.place(monkeypatch=monkeypatch, folder=project.folder)


@pytest.fixture
def scripted_model(harness: Harness, project: Project, monkeypatch: pytest.MonkeyPatch) -> PlacedAgents:
    """The scripted model by environment, for code that uses an SDK. No agent is on PATH."""
    return harness.place([], monkeypatch=monkeypatch, folder=project.folder)


@pytest.fixture
def program(harness: Harness, project: Project) -> PlacedAgents:
    """Runs programs with the agents in place: `program.run([...])`. The test's own environment stays as it is."""
    return harness.place(folder=project.folder)


@pytest.fixture(scope="session")
def harness_client(understudy: Understudy) -> HarnessClient:
    """The tools of the MCP server: `harness_client.call_tool("create_test_project", {...})`."""
    return HarnessClient(understudy)


@pytest.fixture
def test_session(harness_client: HarnessClient, understudy_options: dict[str, Any]) -> Generator[str, None, None]:
    """The id of a conversation, for the tools that take a `session_id`."""
    taken = ("agent", "stage", "scenario", "plugins", "workflow", "permissions", "model")
    config = {name: value for name, value in understudy_options.items() if name in taken}
    session_id: str = harness_client.call_tool("start_conversation", {"config": config})["session_id"]
    yield session_id
    harness_client.call_tool("end_conversation", {"session_id": session_id})


@pytest.fixture
def test_project(
    harness_client: HarnessClient, tmp_path: Path
) -> Callable[..., dict[str, Any]]:
    """Makes projects on demand: `test_project("web-app", "python")`. They go with `tmp_path`."""
    made: list[Path] = []

    def create(project_type: str, language: str, name: str | None = None) -> dict[str, Any]:
        path = tmp_path / f"project_{len(made)}"
        made.append(path)
        arguments = {"project_type": project_type, "language": language, "output_path": str(path)}
        if name is not None:
            arguments["project_name"] = name
        result: dict[str, Any] = harness_client.call_tool("create_test_project", arguments)
        return result

    return create


@pytest.fixture
def plugin_installed(harness_client: HarnessClient) -> Generator[Callable[..., dict[str, Any]], None, None]:
    """Installs plugins on demand, and uninstalls them when the test ends."""
    installed: list[str] = []

    def install(plugin_name: str, marketplace_path: str | None = None) -> dict[str, Any]:
        arguments = {"plugin_name": plugin_name}
        if marketplace_path is not None:
            arguments["marketplace_path"] = marketplace_path
        result: dict[str, Any] = harness_client.call_tool("install_plugin", arguments)
        installed.append(plugin_name)
        return result

    yield install
    for name in reversed(installed):
        harness_client.call_tool("uninstall_plugin", {"plugin_name": name})
