"""Messages of a Codex record: blocks of text and images, who wrote them, and reasoning."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from unspool.formats import fields
from unspool.formats.codex_context import USER_COMMAND, is_injected
from unspool.formats.codex_output import user_command_flags
from unspool.formats.parts import base64_parts, image_parts, text_parts
from unspool.formats.piece import UNKNOWN_TYPE, Flag, ImagePart, Kind, Part, Piece, Pointer, TextPart, ToolPart
from unspool.named_tuple import NamedTuple

USER_SHELL: Final = "shell"
"""The tool of commands that the person ran; command and result are one message of theirs."""

TEXT_BLOCKS = frozenset({"input_text", "output_text", "text", "Text", "summary_text", "reasoning_text"})
_IMAGE_BLOCKS = frozenset({"input_image", "output_image", "image", "local_image"})
_SILENT_BLOCKS = frozenset({"encrypted_content", "input_audio", "audio", "local_audio", "skill", "mention"})
"""Blocks without text to read."""


class Contents(NamedTuple):
    """What a record gave: its pieces, and whether all of its blocks were known."""

    pieces: tuple[Piece, ...] = ()
    known: bool = True


class Blocks(NamedTuple):
    """The readable blocks of a content: (place in it, part) in order, and whether all of its blocks were known."""

    numbered: tuple[tuple[int, Part], ...]
    known: bool

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts without their places."""
        return tuple(part for _, part in self.numbered)


def read_blocks(content: Any, at: Pointer) -> Blocks:
    """Read a content: a string, a list of blocks, or nothing."""
    if not isinstance(content, list):
        numbered = tuple((0, part) for part in text_parts(content, at))
        return Blocks(numbered, content is None or fields.text(content) is not None)
    read = [(number, *read_block(block, (*at, number))) for number, block in enumerate(content)]
    return Blocks(
        tuple((number, part) for number, parts, _ in read for part in parts), all(known for _, _, known in read)
    )


def read_block(block: Any, at: Pointer) -> tuple[tuple[Part, ...], bool]:
    """Read one block: its part, if it holds anything to read, and whether its type is known."""
    if not isinstance(block, dict):
        return text_parts(block, at), fields.text(block) is not None
    kind = fields.text(block.get("type")) or ""
    if kind in TEXT_BLOCKS:
        return text_parts(block.get("text"), (*at, "text")), True
    if kind == "refusal":
        return text_parts(block.get("refusal"), (*at, "refusal")), True
    if kind in _IMAGE_BLOCKS and fields.text(block.get("data")):
        return base64_parts(block["data"], (*at, "data"), fields.text(block.get("mimeType")) or UNKNOWN_TYPE), True
    if kind in _IMAGE_BLOCKS:
        key = next((name for name in ("image_url", "file_id", "path") if block.get(name)), "image_url")
        return image_parts(block.get(key), (*at, key)) or (ImagePart((*at, key), UNKNOWN_TYPE, None),), True
    return (), kind in _SILENT_BLOCKS


def read_message(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `message` item by its role."""
    content = read_blocks(item.get("content"), (*at, "content"))
    role, native_id = item.get("role"), fields.text(item.get("id"))
    if role == "assistant":
        return Contents(assistant_pieces(content, native_id), content.known)
    if role == "user":
        return Contents(user_pieces(content, native_id), content.known)
    if role in ("developer", "system"):
        return Contents(system_pieces(content.parts, native_id), content.known)
    return Contents(known=False)


def assistant_pieces(content: Blocks, native_id: str | None = None, flags: Flag = Flag(0)) -> tuple[Piece, ...]:
    """Return one piece per block, numbered by its place."""
    return tuple(
        Piece(number, Kind.ASSISTANT, (part,), flags=flags, native_id=native_id) for number, part in content.numbered
    )


def user_pieces(content: Blocks, native_id: str | None = None) -> tuple[Piece, ...]:
    """Return a message in the user's name: one piece for all that one author wrote in it.

    Authors are the person, Codex with its context, and the person's own command. Images are the person's. A message of
    several authors is numbered by the first block of each.
    """
    written: dict[_Author, list[Part]] = {}
    first: dict[_Author, int] = {}
    for number, part in content.numbered:
        author = _author_of(part)
        first.setdefault(author, number)
        written.setdefault(author, []).append(part)
    return tuple(
        _authored(author, tuple(parts), first[author] if len(written) > 1 else 0, native_id)
        for author, parts in written.items()
    )


def typed_pieces(parts: tuple[Part, ...]) -> tuple[Piece, ...]:
    """Return what the app says the person typed: words, whatever they look like, or a command for the shell."""
    is_command = bool(parts) and all(_author_of(part) is _Author.SHELL for part in parts)
    return (_authored(_Author.SHELL if is_command else _Author.PERSON, parts, 0, None),) if parts else ()


class _Author(Enum):
    PERSON = Kind.USER
    CODEX = Kind.SYSTEM
    SHELL = Kind.TOOL


def _author_of(part: Part) -> _Author:
    if not isinstance(part, TextPart) or not is_injected(part.value):
        return _Author.PERSON
    return _Author.SHELL if part.value.lstrip().startswith(USER_COMMAND) else _Author.CODEX


def _authored(author: _Author, parts: tuple[Part, ...], number: int, native_id: str | None) -> Piece:
    if author is not _Author.SHELL:
        return Piece(number, author.value, parts, native_id=native_id)
    flags = user_command_flags("\n".join(part.value for part in parts if isinstance(part, TextPart)))
    return Piece(number, Kind.TOOL, parts, ToolPart.OUTPUT, USER_SHELL, flags=flags, native_id=native_id)


def system_pieces(parts: tuple[Part, ...], native_id: str | None = None, flags: Flag = Flag(0)) -> tuple[Piece, ...]:
    """Return a text that neither the person nor the model wrote; nothing when it is empty."""
    return (Piece(0, Kind.SYSTEM, parts, flags=flags, native_id=native_id),) if parts else ()


def read_agent_message(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read an `agent_message` item: what another agent told this one."""
    content = read_blocks(item.get("content"), (*at, "content"))
    return Contents(system_pieces(content.parts, fields.text(item.get("id"))), content.known)


def read_reasoning(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a `reasoning` item: one piece of its summary texts, behind them its raw texts."""
    return _reasoning(item, at, ("summary", "content"), fields.text(item.get("id")))


def read_completed(item: Mapping[str, Any], at: Pointer) -> Contents:
    """Read the item of an `item_completed` event: messages, reasoning and plans; all else has a richer twin.

    These carry no native id: theirs is the response item's own, and two kinds of record are twins, not replays.
    """
    kind = fields.text(item.get("type")) or ""
    if kind == "Reasoning":
        return _reasoning(item, at, ("summary_text", "raw_content"), None)
    if kind == "Plan":
        return Contents(assistant_pieces(read_blocks(item.get("text"), (*at, "text"))))
    content = read_blocks(item.get("content"), (*at, "content"))
    if kind == "UserMessage":
        return Contents(typed_pieces(content.parts), content.known)
    if kind == "AgentMessage":
        return Contents(assistant_pieces(content), content.known)
    return Contents(known=kind in _OTHER_COMPLETED)


_OTHER_COMPLETED = frozenset(
    {
        "CollabAgentToolCall",
        "CommandExecution",
        "ContextCompaction",
        "DynamicToolCall",
        "EnteredReviewMode",
        "ExitedReviewMode",
        "Extension",
        "FileChange",
        "FunctionCallOutput",
        "HookPrompt",
        "ImageGeneration",
        "ImageView",
        "McpToolCall",
        "Sleep",
        "SubAgentActivity",
        "WebSearch",
    }
)


def _reasoning(item: Mapping[str, Any], at: Pointer, keys: tuple[str, str], native_id: str | None) -> Contents:
    summary, content = (read_blocks(item.get(key), (*at, key)) for key in keys)
    parts = summary.parts + content.parts
    piece = Piece(0, Kind.ASSISTANT, parts, flags=Flag.REASONING, native_id=native_id)
    return Contents((piece,) if parts else (), summary.known and content.known)
