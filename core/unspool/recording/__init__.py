"""The writing side of a session, for people who build agents: tool results, the session's log, resume.

What is written is MiniCode's format. `utf16` measures as that format does, `side_file` names the files of large
results, `stand_in` writes and reads the text that takes a result's place, `tool_results` decides which results
need one.
"""
