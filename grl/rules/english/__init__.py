"""Rules and effects as English sentences, features as the phrases of which they are made."""
