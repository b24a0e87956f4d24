"""The rule layer as a whole, learned: perspectives, restrictions, control, endings, passes."""
