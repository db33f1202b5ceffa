"""`python -m supple` is the same as `supple`."""

from supple.cli import main

main()
