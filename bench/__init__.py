"""Measurements of design §9's budgets. Ratios and medians; read the ratios. `make bench` prints the table."""
