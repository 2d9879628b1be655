"""`warledger demo`: a whole game played by bots through the gateway, like any client, then checked."""
