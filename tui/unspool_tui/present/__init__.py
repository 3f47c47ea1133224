"""View values turned into rows of cells; pure, and without Textual."""
