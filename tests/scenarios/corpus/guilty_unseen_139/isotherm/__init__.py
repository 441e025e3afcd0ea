"""Distribution of site energies of an adsorbent from its isotherm."""
