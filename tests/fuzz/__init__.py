"""The engine against the second implementation in whole games and from dense positions, on as many as time allows."""
