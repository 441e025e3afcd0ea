class GenerationCache:
    """Remembers costly results inside one generation."""

    def __init__(self, fn):
        self.fn = fn
        self.rows = {}
        self.hits = 0

    def __getitem__(self, key):
        if key in self.rows:
            self.hits += 1
        else:
            self.rows[key] = self.fn(key)
        return self.rows[key]

    def __enter__(self):
        self.rows.clear()
        return self

    def __exit__(self, *exc):
        self.rows.clear()
        return False
