"""The translations: names in, commands out; facts in, names out. No rules live here."""
