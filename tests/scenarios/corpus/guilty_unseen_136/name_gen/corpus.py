import string

ALPHABET = string.ascii_lowercase + "$"

lines = ["bonn", "bern", "brno", "basel", "lyon", "lille", "porto", "padua", "pisa", "genoa", "ghent", "graz",
         "linz", "lodz", "malmo", "murcia", "nice", "nantes", "oslo", "parma", "riga", "turku", "vaasa", "wien"]
