"""`python -m warledger`."""

from warledger.cli import main

main()
