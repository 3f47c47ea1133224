"""The demo: a scripted agent that works in a small project and writes a live session, for the first look at unspool.

`files` are those of the project, `project` is the folder and the tools, `agent` records what is said and done, `script`
is the story, `stage` the temporary home and the thread in which it is played.
"""

from __future__ import annotations

from unspool_tui.demo.stage import Stage

__all__ = ["Stage"]
