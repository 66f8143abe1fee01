"""The seam between the rules and the stores: what an entry is, and what a store must do."""
