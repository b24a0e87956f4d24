"""The language of rules: typed terms made of few operators, evaluated, phrased and exported."""
