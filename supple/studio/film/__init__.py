"""Pictures, films and replays drawn by the page."""
