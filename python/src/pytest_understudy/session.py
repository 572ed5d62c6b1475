"""The one `understudy` process of a pytest process. With xdist, each worker has its own."""

from __future__ import annotations

import pytest

from .client import Understudy, UnderstudyError
from .find import find_command

_KEY = pytest.StashKey[Understudy]()
_ERROR = pytest.StashKey[UnderstudyError]()


def understudy_of(config: pytest.Config) -> Understudy:
    """Give the process; it starts when it is first needed."""
    running = config.stash.get(_KEY, None)
    if running is not None:
        return running
    # What did not start once does not start for the next test.
    error = config.stash.get(_ERROR, None)
    if error is not None:
        raise UnderstudyError(error.code, str(error))
    command = find_command(config.getini("understudy_command") or None, config.rootpath)
    try:
        running = Understudy(command, config.rootpath)
    except UnderstudyError as failure:
        config.stash[_ERROR] = failure
        raise
    config.stash[_KEY] = running
    return running


def end_understudy(config: pytest.Config) -> None:
    """End the process, if there is one."""
    running = config.stash.get(_KEY, None)
    if running is not None:
        del config.stash[_KEY]
        running.close()
