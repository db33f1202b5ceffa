"""Parameters that the page's panel offers."""
