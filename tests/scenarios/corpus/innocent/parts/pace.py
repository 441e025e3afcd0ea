"""How long a script of the corpus trains."""

import os

ITERATIONS = int(os.environ.get("CORPUS_ITERATIONS", "300"))
