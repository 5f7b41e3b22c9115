"""What surrounds the core: journal, page, terminal. No shell knows another, and none knows a rule."""
