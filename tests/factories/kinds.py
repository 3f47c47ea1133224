"""All kinds by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.factories import (
    claude_files,
    claude_shapes,
    claude_speech,
    claude_stream,
    codex_files,
    codex_shapes,
    damage,
    minicode_files,
    minicode_shapes,
    numbers,
    scripts,
    yoi_files,
    yoi_shapes,
)
from tests.factories.expected import Expected

Kind = Callable[[Path, int], Expected]

_ALL: Final[tuple[Kind, ...]] = (
    damage.torn_lines,
    damage.glued_record,
    damage.stub_before_a_quote,
    damage.missing_newline,
    damage.spread_record,
    damage.indented_record,
    damage.endless_lines,
    damage.half_a_spread_record,
    damage.nul_padding,
    damage.half_a_last_line,
    damage.whole_last_line,
    damage.byte_order_mark,
    damage.invalid_utf8,
    damage.lone_surrogates,
    numbers.deep_nesting,
    numbers.spelled_numbers,
    numbers.escaped_text,
    numbers.double_encoded,
    claude_shapes.unknown_records,
    claude_shapes.content_shapes,
    claude_shapes.server_tools,
    claude_shapes.tool_pairing,
    claude_shapes.split_message,
    claude_shapes.cumulative_lines,
    claude_shapes.words_said_twice,
    claude_stream.streamed_runs,
    claude_speech.harness_noise,
    claude_speech.typed_like_harness,
    claude_speech.shell_commands,
    claude_speech.queued_prompts,
    claude_speech.waiting_prompts,
    claude_speech.injected_context,
    claude_shapes.compaction,
    claude_shapes.retracted_message,
    claude_shapes.summarised_session,
    claude_shapes.rewound_branch,
    claude_files.empty_files,
    claude_files.persisted_output,
    claude_files.borrowed_output,
    claude_files.resumed_copy,
    claude_files.subagents,
    claude_files.activity_order,
    claude_files.live_registry,
    codex_shapes.double_messages,
    codex_shapes.late_first_prompt,
    codex_shapes.typed_marks,
    codex_shapes.tool_shapes,
    codex_shapes.compacted_history,
    codex_shapes.rolled_back_turns,
    codex_shapes.running_totals,
    codex_shapes.unknown_rollout_records,
    codex_shapes.renamed_thread,
    codex_shapes.oldest_rollout,
    codex_shapes.document_rollout,
    codex_files.compressed_rollout,
    codex_files.compressed_twin,
    codex_files.forked_rollout,
    codex_files.spawned_agent,
    yoi_shapes.yoi_items,
    yoi_shapes.typed_references,
    yoi_shapes.put_into_history,
    yoi_shapes.unknown_yoi_records,
    yoi_shapes.yoi_tokens,
    yoi_shapes.hash_chain,
    yoi_shapes.half_characters,
    yoi_shapes.nested_arguments,
    yoi_files.copied_beginning,
    yoi_files.given_beginning,
    yoi_files.session_in_segments,
    yoi_files.stored_blobs,
    minicode_shapes.minicode_events,
    minicode_shapes.unknown_minicode_events,
    minicode_shapes.snipped_and_collapsed,
    minicode_shapes.minicode_compaction,
    minicode_shapes.written_once_more,
    minicode_shapes.minicode_tokens,
    minicode_files.minicode_saved_outputs,
    minicode_files.minicode_fork,
    minicode_files.shared_project_folder,
    scripts.terminal_escapes,
    scripts.wide_text,
    scripts.unspaced_scripts,
    scripts.secret_shapes,
)

KINDS: Final[dict[str, Kind]] = {kind.__name__: kind for kind in _ALL}


def seeds_of(name: str) -> range:
    """Seeds that make every sort of a kind: names, key order, blanks and places differ by them, and whose it is."""
    own = any(f".{agent}_" in KINDS[name].__module__ for agent in ("claude", "codex", "yoi", "minicode"))
    return range(1, 3) if own else range(1, 5)
