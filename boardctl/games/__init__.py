"""The rules of games. They know `boardctl.core.model` and nothing else; each comes in by an entry point."""
