"""Tables that grow, lose rows and are renumbered as edits go by."""
