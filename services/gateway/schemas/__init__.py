"""What the gateway accepts and answers: requests are checked with these schemas, OpenAPI is made of them."""
