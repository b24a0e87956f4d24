"""Rules at work: what choices bring about, which turns are legal, endings, who moves next."""
