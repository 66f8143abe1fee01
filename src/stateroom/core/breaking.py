def breaking_changes(old, new):
    return ()
