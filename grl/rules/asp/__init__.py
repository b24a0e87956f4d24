"""Features as answer set programs: their definitions, and the names that programs use."""
