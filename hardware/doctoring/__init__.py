"""What `boardctl doctor` looks at, a module for each part of the machine."""
