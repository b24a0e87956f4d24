"""What was learned, for people: the rulebook in English, what each part is sure of and lacks."""
