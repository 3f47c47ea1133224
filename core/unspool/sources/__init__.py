"""Where records start and end in what agents leave on disk; knows no agent."""
