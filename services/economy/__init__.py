"""The economy service: intake of offers, acceptances, refusals and ends of deals (topic trades); it quotes prices."""
