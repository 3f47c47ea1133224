"""Laws, tried on random and on hostile input."""
