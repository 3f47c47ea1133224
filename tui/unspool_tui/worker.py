"""Work off the screen's thread, whose answers come as messages.

Each question runs in a thread of its own that never keeps the process alive: quitting waits for no read. A question
of an exclusive group replaces the one before it, whose answers are dropped.
"""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.message import Message

from unspool.errors import SourceChanged, UnspoolError
from unspool_tui.messages.failed import Failed
from unspool_tui.screen_loop import way_to_make

if TYPE_CHECKING:
    from textual.widget import Widget

Cancelled = Callable[[], bool]
"""Says that nobody waits for the answer any more, once the screen has nothing to do: to be asked now and then."""

Work = Callable[[Cancelled], Iterable[Message]]
"""Does the work and yields its answers."""


def ask(to: Widget, group: str, work: Work, generation: int = 0, *, lasting: bool = False) -> None:
    """Ask a question of a group: its answers go to a widget, and those to the question before it are dropped.

    `lasting` work has something to clear away when it is given up: the process waits for that.
    """

    async def answer() -> None:  # called when the worker begins, which one that is given up at once never does
        await off_thread(to, group, work, generation, lasting=lasting)

    to.run_worker(answer, group=group, name=group, exclusive=True)  # type: ignore[arg-type]  # its union is not solved


async def off_thread(to: Widget, question: str, work: Work, generation: int, *, lasting: bool = False) -> None:
    """Run work in a thread, and post what it yields until the question is given up.

    The thread ends with the process, unless it is `lasting`.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    cancelled, make_way = threading.Event(), way_to_make()

    def given_up() -> bool:
        make_way()
        return cancelled.is_set()

    def run() -> None:
        try:
            for message in work(given_up):
                if cancelled.is_set():
                    break
                to.post_message(message)
        except UnspoolError as error:
            _report(to, Failed(question, str(error), generation, isinstance(error, SourceChanged)), cancelled)
        except Exception as error:  # noqa: BLE001 - the worker's border: whatever it was, the person is told
            place = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error} ({place.name}:{place.lineno})"
            _report(to, Failed(question, said, generation), cancelled)
        finally:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_settle, done)

    threading.Thread(target=run, name=f"unspool-{question}", daemon=not lasting).start()
    try:
        await done
    except asyncio.CancelledError:
        cancelled.set()
        raise


def _settle(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)


def _report(to: Widget, message: Message, cancelled: threading.Event) -> None:
    if not cancelled.is_set():
        to.post_message(message)
