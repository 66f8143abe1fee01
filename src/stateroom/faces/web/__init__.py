"""A plain window: small pages, made here, that show a room and change nothing. The pages that act come later."""
