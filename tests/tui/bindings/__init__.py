"""Every binding of every screen: a key is pressed, its command runs, and something that was not there is seen."""
